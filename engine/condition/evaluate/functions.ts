import { type CalendarField, calendarField } from '../values/calendar.ts';
import { Duration, parseDuration } from '../values/duration.ts';
import { IpAddress, parseIpAddress, parseIpRange, rangeContains } from '../values/ip-address.ts';
import { toBool, toDouble, toInt, toUint } from '../values/numbers.ts';
import { toText } from '../values/text.ts';
import { parseTimestamp, timestampOf } from '../values/timestamp.ts';
import { typeOfValue } from '../values/type-value.ts';
import { noOverload } from './failures.ts';

type Args = readonly unknown[];

/** One function of an expression. A method's receiver is its first argument. */
export interface FunctionEntry {
  readonly run: (args: Args) => unknown;
  /** Units that a call costs beyond its node. */
  readonly cost?: (args: Args) => number;
}

/** Characters, bytes, items or keys of a value; 0 for what has no size. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map ? value.size : 0;
}

const linear = ([value]: Args): number => sizeOf(value) >> 3;
/** A search compares every offset with the whole needle in the worst case. */
const search = ([text, needle]: Args): number => (sizeOf(text) >> 4) + ((sizeOf(text) * sizeOf(needle)) >> 12);
const ADDRESS_COST = 50;
const ZONE_COST = 200;
const ZONE_UNKNOWN_COST = 5000;
const ZONE_LENGTH_MAX = 64;
/** Names that look like zones are made once and kept; others fail, which is slow each time. */
const KNOWN_ZONE = /^(?:UTC|[+-]?\d\d:\d\d|[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_/+-]+)$/;

/** How many of its unit a duration has, cut off towards zero. */
const IN_DURATION: ReadonlyMap<CalendarField, bigint> = new Map([
  ['getHours', 3_600_000_000_000n],
  ['getMinutes', 60_000_000_000n],
  ['getSeconds', 1_000_000_000n],
  ['getMilliseconds', 1_000_000n],
]);

/** All but `matches`, which is compiled: see `matcher`. */
export const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['size', { run: ([value]) => size(value), cost: linear }],
  ['type', { run: ([value]) => typeOfValue(value) }],
  ['dyn', { run: ([value]) => value }],
  ['bool', { run: ([value]) => toBool(value) }],
  ['bytes', { run: ([value]) => toBytes(value), cost: linear }],
  ['int', { run: ([value]) => toInt(value) }],
  ['uint', { run: ([value]) => toUint(value) }],
  ['double', { run: ([value]) => toDouble(value) }],
  ['string', { run: ([value]) => toText(value), cost: linear }],
  ['timestamp', { run: ([value]) => toTimestamp(value) }],
  ['duration', { run: ([value]) => toDuration(value) }],
  ['ipaddress', { run: ([value]) => toIpAddress(value), cost: () => ADDRESS_COST }],
  ['in_cidr', { run: ([address, range]) => inCidr(address, range), cost: () => ADDRESS_COST }],
  ['contains', onTexts('contains', (text, part) => text.includes(part))],
  ['startsWith', onTexts('startsWith', (text, part) => text.startsWith(part))],
  ['endsWith', onTexts('endsWith', (text, part) => text.endsWith(part))],
  ['trim', { run: ([text]) => requireText('trim', text).trim(), cost: linear }],
  ['lowerAscii', { run: ([text]) => mapAscii('lowerAscii', text, /[A-Z]+/g), cost: linear }],
  ['upperAscii', { run: ([text]) => mapAscii('upperAscii', text, /[a-z]+/g), cost: linear }],
  ['split', { run: ([text, mark, limit]) => split(text, mark, limit), cost: ([text]) => sizeOf(text) }],
  ['join', { run: ([list, separator]) => join(list, separator), cost: joinCost }],
  ...(['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear'] as const).map(calendar),
  ...(['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const).map(calendar),
]);

export function requireText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw noOverload(name, value);
  return value;
}

function onTexts(name: string, run: (text: string, part: string) => boolean): FunctionEntry {
  return { run: ([text, part]) => run(requireText(name, text), requireText(name, part)), cost: search };
}

function size(value: unknown): bigint {
  if (typeof value === 'string') {
    let count = 0;
    for (const _ of value) count++;
    return BigInt(count);
  }
  if (Array.isArray(value) || value instanceof Map || value instanceof Uint8Array) return BigInt(sizeOf(value));
  throw noOverload('size', value);
}

function calendar(name: CalendarField): [string, FunctionEntry] {
  const unit = IN_DURATION.get(name);
  const run = ([value, zone]: Args): bigint => {
    if (value instanceof Duration && unit !== undefined && zone === undefined) return value.nanoseconds / unit;
    if (!(value instanceof Date)) throw noOverload(name, value);
    if (zone !== undefined && (typeof zone !== 'string' || zone.length > ZONE_LENGTH_MAX)) {
      throw new Error('unknown time zone');
    }
    return calendarField(value, name, zone);
  };
  const cost = ([, zone]: Args): number => {
    if (zone === undefined) return 0;
    return typeof zone === 'string' && KNOWN_ZONE.test(zone) ? ZONE_COST : ZONE_UNKNOWN_COST;
  };
  return [name, { run, cost }];
}

function mapAscii(name: 'lowerAscii' | 'upperAscii', text: unknown, letters: RegExp): string {
  return requireText(name, text).replace(letters, (part) =>
    name === 'lowerAscii' ? part.toLowerCase() : part.toUpperCase(),
  );
}

function split(text: unknown, mark: unknown, limit: unknown): string[] {
  const parts = requireText('split', text).split(requireText('split', mark));
  if (limit === undefined) return parts;
  if (typeof limit !== 'bigint') throw noOverload('split', limit);
  if (limit === 0n) return [];
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(String(mark))];
}

function join(list: unknown, separator: unknown = ''): string {
  if (!Array.isArray(list)) throw noOverload('join', list);
  return list.map((item) => requireText('join', item)).join(requireText('join', separator));
}

function joinCost([list, separator]: Args): number {
  if (!Array.isArray(list)) return 0;
  let length = list.length * (1 + sizeOf(separator));
  for (const item of list) length += sizeOf(item);
  return length >> 3;
}

function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return new Uint8Array(Buffer.from(requireText('bytes', value)));
}

/** Seconds since 1970 where it is a number. */
function toTimestamp(value: unknown): Date {
  if (value instanceof Date) return value;
  const date =
    typeof value === 'string'
      ? parseTimestamp(value)
      : timestampOf(typeof value === 'bigint' ? Number(value) * 1000 : Number.NaN);
  if (date === undefined) throw new Error('timestamp() needs an RFC 3339 date and time in the years 1 to 9999');
  return date;
}

function toDuration(value: unknown): Duration {
  if (value instanceof Duration) return value;
  const duration = typeof value === 'string' ? parseDuration(value) : undefined;
  if (duration === undefined) throw new Error('duration() needs a duration such as 1h30m');
  return duration;
}

function toIpAddress(value: unknown): IpAddress {
  const address = typeof value === 'string' ? parseIpAddress(value) : undefined;
  if (address === undefined) throw new Error('ipaddress() needs an IPv4 or IPv6 address');
  return address;
}

function inCidr(address: unknown, text: unknown): boolean {
  if (!(address instanceof IpAddress)) throw noOverload('in_cidr', address);
  const range = typeof text === 'string' ? parseIpRange(text) : undefined;
  if (range === undefined) throw new Error('in_cidr() needs a range such as 10.0.0.0/8');
  return rangeContains(range, address);
}
