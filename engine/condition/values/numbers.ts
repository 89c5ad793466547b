import { Duration } from './duration.ts';
import { INT_MAX, INT_MIN, UINT_MAX, Uint } from './uint.ts';

const TEXT_MAX = 64;
const INTEGER = /^[+-]?\d+$/;
const UNSIGNED = /^\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const TWO_TO_63 = 2 ** 63;
const TWO_TO_64 = 2 ** 64;

/** `int()`: a timestamp as seconds since 1970, a duration as nanoseconds; a double is cut off towards zero. */
export function toInt(value: unknown): bigint {
  const whole = readInt(value);
  if (whole === undefined || whole > INT_MAX || whole < INT_MIN) throw new Error('int() cannot convert this value');
  return whole;
}

function readInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  // as in cel-go, the smallest integer itself is out of the range of doubles
  if (typeof value === 'number') return Math.abs(value) < TWO_TO_63 ? BigInt(Math.trunc(value)) : undefined;
  if (value instanceof Date) return BigInt(Math.floor(value.getTime() / 1000));
  if (value instanceof Duration) return value.nanoseconds;
  if (typeof value !== 'string' || value.length > TEXT_MAX || !INTEGER.test(value)) return undefined;
  return BigInt(value.replace('+', ''));
}

export function toUint(value: unknown): Uint {
  const whole = readUint(value);
  if (whole === undefined || whole > UINT_MAX || whole < 0n) throw new Error('uint() cannot convert this value');
  return new Uint(whole);
}

function readUint(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  if (typeof value === 'number') return value >= 0 && value < TWO_TO_64 ? BigInt(Math.trunc(value)) : undefined;
  return typeof value === 'string' && value.length <= TEXT_MAX && UNSIGNED.test(value) ? BigInt(value) : undefined;
}

export function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const number = typeof value === 'string' && value.length <= TEXT_MAX ? readDouble(value) : undefined;
  if (number === undefined) throw new Error('double() cannot convert this value');
  return number;
}

function readDouble(text: string): number | undefined {
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

export function toBool(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && TRUE.has(value)) return true;
  if (typeof value === 'string' && FALSE.has(value)) return false;
  throw new Error('bool() cannot convert this value');
}
