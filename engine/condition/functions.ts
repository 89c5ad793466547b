import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { type CalendarField, calendarField } from './values/calendar.ts';
import { parseDuration } from './values/duration.ts';
import { parseTimestamp, timestampOf } from './values/timestamp.ts';

/** One function of an expression: what a call costs beyond its node, and what replaces the library's own handler. */
export interface FunctionEntry {
  /** Units for arguments of this size; a method's receiver is the first argument. */
  readonly cost?: (args: readonly unknown[]) => number;
  readonly run?: (args: readonly unknown[]) => unknown;
}

/** Characters or items of a value; 0 for what has no size. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Map) return value.size;
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.keys(value).length
    : 0;
}

const FREE: FunctionEntry = {};
const LINEAR: FunctionEntry = { cost: ([value]) => sizeOf(value) >> 3 };
const SEARCH: FunctionEntry = {
  // A search compares every place with the whole needle in the worst case.
  cost: ([text, needle]) => (sizeOf(text) >> 4) + ((sizeOf(text) * sizeOf(needle)) >> 12),
};
const ZONE_COST = 200;
const ZONE_UNKNOWN_COST = 5000;
const INT_MAX = 2n ** 63n;
const UINT_MAX = 2n ** 64n;
const WHOLE = /^[+-]?\d{1,20}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const TEXT_MAX = 64;

/** Functions called as `name(…)`. What is not here is refused when a condition is compiled. */
export const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['size', LINEAR],
  ['has', FREE],
  ['bool', FREE],
  ['bytes', LINEAR],
  ['dyn', FREE],
  ['type', FREE],
  ['int', { run: ([value]) => toInt(value) }],
  ['uint', { run: ([value]) => toUint(value) }],
  ['double', { run: ([value]) => toDouble(value) }],
  ['string', LINEAR],
  ['timestamp', { run: ([value]) => toTimestamp(value) }],
  ['duration', { run: ([value]) => toDuration(value) }],
  ['ipaddress', { cost: () => 50 }],
  ['matches', FREE],
]);

/** Functions called as `value.name(…)`, macros included. */
export const METHODS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ...['all', 'exists', 'exists_one', 'map', 'filter', 'matches'].map((name) => [name, FREE] as const),
  ...['contains', 'startsWith', 'endsWith'].map((name) => [name, SEARCH] as const),
  ...['size', 'trim'].map((name) => [name, LINEAR] as const),
  ['split', { cost: ([text]) => sizeOf(text) }],
  ['join', { cost: (args) => joinCost(args) }],
  // The library's own change letters outside ASCII as well.
  ['lowerAscii', { ...LINEAR, run: ([text]) => mapAscii(text, /[A-Z]+/g, (part) => part.toLowerCase()) }],
  ['upperAscii', { ...LINEAR, run: ([text]) => mapAscii(text, /[a-z]+/g, (part) => part.toUpperCase()) }],
  ['in_cidr', { cost: () => 50 }],
  ...(['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear'] as const).map(calendar),
  ...(['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const).map(calendar),
]);

function calendar(name: CalendarField): [string, FunctionEntry] {
  const read = (args: readonly unknown[]): unknown => {
    const [value, zone] = args;
    if (value instanceof Date) {
      if (zone !== undefined && (typeof zone !== 'string' || zone.length > TEXT_MAX))
        throw new Error('unknown time zone');
      return calendarField(value, name, zone);
    }
    const duration = value as Readonly<Record<string, unknown>>;
    const method = duration[name];
    if (typeof method !== 'function') throw new Error(`no such overload: ${name}`);
    return method.call(duration);
  };
  const cost = ([, zone]: readonly unknown[]): number => {
    if (zone === undefined) return 0;
    return typeof zone === 'string' && KNOWN_ZONE.test(zone) ? ZONE_COST : ZONE_UNKNOWN_COST;
  };
  return [name, { cost, run: read }];
}

/** Names that look like zones are made once and kept; others fail, which is slow each time. */
const KNOWN_ZONE = /^(?:UTC|[+-]?\d\d:\d\d|[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_/+-]+)$/;

function joinCost([list, separator]: readonly unknown[]): number {
  if (!Array.isArray(list)) return 0;
  let length = list.length * (1 + sizeOf(separator));
  for (const item of list) length += sizeOf(item);
  return length >> 3;
}

function mapAscii(text: unknown, letters: RegExp, change: (part: string) => string): string {
  if (typeof text !== 'string') throw new Error('no such overload');
  return text.replace(letters, change);
}

function toInt(value: unknown): bigint {
  const whole = readWhole(value);
  if (whole === undefined || whole >= INT_MAX || whole < -INT_MAX) throw new Error('int() cannot convert this value');
  return whole;
}

function toUint(value: unknown): UnsignedInt {
  const whole = readWhole(value);
  if (whole === undefined || whole >= UINT_MAX || whole < 0n) throw new Error('uint() cannot convert this value');
  return new UnsignedInt(whole);
}

/** Also seconds since the epoch for a timestamp, as the CEL specification has it. */
function readWhole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof UnsignedInt) return value.value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
  if (value instanceof Date) return BigInt(Math.floor(value.getTime() / 1000));
  return typeof value === 'string' && WHOLE.test(value) ? BigInt(value.replace('+', '')) : undefined;
}

function toDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof UnsignedInt) return Number(value.value);
  if (typeof value === 'string' && value.length <= TEXT_MAX && DECIMAL.test(value)) return Number(value);
  throw new Error('double() cannot convert this value');
}

function toTimestamp(value: unknown): Date {
  if (value instanceof Date) return value;
  const date = typeof value === 'string' ? parseTimestamp(value) : timestampOf(Number(value) * 1000);
  if (date === undefined) throw new Error('timestamp() needs an RFC 3339 date and time in the years 1 to 9999');
  return date;
}

function toDuration(value: unknown): Duration {
  if (value instanceof Duration) return value;
  const duration = typeof value === 'string' ? parseDuration(value) : undefined;
  if (duration === undefined) throw new Error('duration() needs a duration such as 1h30m');
  return duration;
}
