import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { Meter } from './meter.ts';
import { durationNanoseconds } from './values/duration.ts';
import { IpAddress } from './values/ip-address.ts';

/**
 * CEL's heterogeneous equality: numbers compare as numbers whatever their type, values of different kinds differ. The
 * library's own is not metered (two lists that share their parts cost 2^depth), does not compare uint with int inside
 * lists, and takes `toString` for a key that every map has.
 */
export function equal(left: unknown, right: unknown, meter: Meter): boolean {
  meter.spend(1);
  if (left === right) return !(typeof left === 'number' && Number.isNaN(left));
  if (typeof left === 'string') {
    if (typeof right !== 'string' || left.length !== right.length) return false;
    meter.spend(left.length >> 6);
    return left === right;
  }
  const number = numeric(left);
  if (number !== undefined) {
    const other = numeric(right);
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number compare by value with == alone
    return other !== undefined && number == other;
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  return equalObjects(left, right, meter);
}

/** `value in container`: membership of a list, presence of a key of a map. */
export function isMember(value: unknown, container: unknown, meter: Meter): boolean {
  if (Array.isArray(container)) return container.some((item) => equal(value, item, meter));
  if (container instanceof Map) return container.has(value);
  if (isLiteral(container)) return typeof value !== 'object' && Object.hasOwn(container, String(value));
  throw new Error("'in' needs a list or a map on its right");
}

function numeric(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof UnsignedInt ? value.value : undefined;
}

function equalObjects(left: object, right: object, meter: Meter): boolean {
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, meter);
  if (left instanceof Map || isLiteral(left)) {
    return (right instanceof Map || isLiteral(right)) && equalMaps(left, right, meter);
  }
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (left instanceof Duration) {
    return right instanceof Duration && durationNanoseconds(left) === durationNanoseconds(right);
  }
  if (left instanceof IpAddress) return right instanceof IpAddress && left.equals(right);
  if (left instanceof Uint8Array) {
    if (!(right instanceof Uint8Array)) return false;
    meter.spend(left.length >> 6);
    return Buffer.compare(left, right) === 0;
  }
  return false;
}

function equalLists(left: readonly unknown[], right: readonly unknown[], meter: Meter): boolean {
  return left.length === right.length && left.every((item, index) => equal(item, right[index], meter));
}

function equalMaps(left: object, right: object, meter: Meter): boolean {
  const ours = entriesOf(left);
  const theirs = new Map(entriesOf(right));
  meter.spend(ours.length);
  if (ours.length !== theirs.size) return false;
  return ours.every(([key, value]) => theirs.has(key) && equal(value, theirs.get(key), meter));
}

/** A map literal of an expression is a plain object; one that came with a context is a `Map`. */
function isLiteral(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function entriesOf(map: object): [unknown, unknown][] {
  return map instanceof Map ? [...map.entries()] : Object.entries(map);
}
