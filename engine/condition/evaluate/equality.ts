import type { Meter } from '../meter.ts';
import { Duration } from '../values/duration.ts';
import { IpAddress } from '../values/ip-address.ts';
import { TypeValue } from '../values/type-value.ts';
import { keyOf } from './access.ts';
import { noOverload } from './failures.ts';
import { numeric } from './ordering.ts';

/**
 * CEL's heterogeneous equality: numbers compare as numbers whatever their type, values of different kinds differ. It is
 * metered, because two lists that share their parts cost 2^depth.
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
  if (container instanceof Map) return container.has(keyOf(value));
  throw noOverload('in', value, container);
}

function equalObjects(left: object, right: object, meter: Meter): boolean {
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, meter);
  if (left instanceof Map) return right instanceof Map && equalMaps(left, right, meter);
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof IpAddress) return right instanceof IpAddress && left.equals(right);
  if (left instanceof Uint8Array) {
    if (!(right instanceof Uint8Array)) return false;
    meter.spend(left.length >> 6);
    return Buffer.compare(left, right) === 0;
  }
  return left instanceof TypeValue && right instanceof TypeValue && left.name === right.name;
}

function equalLists(left: readonly unknown[], right: readonly unknown[], meter: Meter): boolean {
  return left.length === right.length && left.every((item, index) => equal(item, right[index], meter));
}

function equalMaps(left: ReadonlyMap<unknown, unknown>, right: ReadonlyMap<unknown, unknown>, meter: Meter): boolean {
  meter.spend(left.size);
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    if (!right.has(key) || !equal(value, right.get(key), meter)) return false;
  }
  return true;
}
