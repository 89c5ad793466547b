import type { Meter } from '../meter.ts';
import { Duration } from '../values/duration.ts';
import { Uint } from '../values/uint.ts';
import { noOverload } from './failures.ts';

type Ordering = (left: unknown, right: unknown, meter: Meter) => boolean;

/** `<` and its kin. Numbers compare by value whatever their types; a NaN is in no order. */
export const ORDERINGS: ReadonlyMap<string, Ordering> = new Map<string, Ordering>([
  ['<', (left, right, meter) => compare('<', left, right, meter) < 0],
  ['<=', (left, right, meter) => compare('<=', left, right, meter) <= 0],
  ['>', (left, right, meter) => compare('>', left, right, meter) > 0],
  ['>=', (left, right, meter) => compare('>=', left, right, meter) >= 0],
]);

/** Negative, 0 or positive, or NaN. */
function compare(sign: string, left: unknown, right: unknown, meter: Meter): number {
  const number = numeric(left);
  const other = numeric(right);
  if (number !== undefined && other !== undefined) return order(number, other);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right, meter);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (left instanceof Duration && right instanceof Duration) return order(left.nanoseconds, right.nanoseconds);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    meter.spend(Math.min(left.length, right.length) >> 6);
    return Buffer.compare(left, right);
  }
  throw noOverload(sign, left, right);
}

export function numeric(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
}

function order(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return left >= right ? 0 : Number.NaN;
}

/** By code points, as UTF-8 has them: a surrogate pair is above all that is no pair. */
function compareTexts(left: string, right: string, meter: Meter): number {
  const length = Math.min(left.length, right.length);
  meter.spend(length >> 4);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
