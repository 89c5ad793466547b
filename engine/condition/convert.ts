import type { ParameterType, ScalarParameter } from './condition.ts';
import { VALUE_DEPTH_MAX } from './limits.ts';
import { parseDuration } from './values/duration.ts';
import { parseIpAddress } from './values/ip-address.ts';
import { parseTimestamp } from './values/timestamp.ts';
import { INT_MAX, INT_MIN, UINT_MAX, Uint } from './values/uint.ts';

/** Why a value does not convert: what it should be, and where below the parameter it is not (`[2].name`). */
export class Refusal {
  readonly rule: string;
  readonly path: string;

  constructor(rule: string, path = '') {
    this.rule = rule;
    this.path = path;
  }

  below(step: string): Refusal {
    return new Refusal(this.rule, step + this.path);
  }
}

/** Turns a JSON value into the CEL value of a declared type, or says why it cannot. */
export type Converter = (value: unknown) => unknown;

const INTEGER = /^[+-]?\d{1,20}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const NUMBER_LENGTH_MAX = 400;

/**
 * The converter of one declared type. Numbers may also come as text, as OpenFGA takes them, because JSON has no
 * integers beyond 2^53: such a number is refused, since it may already have lost its last digits.
 */
export function converterFor(type: ParameterType): Converter {
  if (type.kind === 'list') return listConverter(converterFor(type.of));
  if (type.kind === 'map') return mapConverter(converterFor(type.of));
  return SCALARS[type.kind];
}

const SCALARS: Readonly<Record<ScalarParameter, Converter>> = {
  any: (value) => fromJson(value, 0),
  bool: (value) => (typeof value === 'boolean' ? value : new Refusal('must be true or false')),
  string: (value) => (typeof value === 'string' ? value : new Refusal('must be a string')),
  int: (value) => readInteger(value, INT_MIN, INT_MAX) ?? new Refusal('must be a 64-bit integer'),
  uint: (value) => {
    const whole = readInteger(value, 0n, UINT_MAX);
    return whole === undefined ? new Refusal('must be an unsigned 64-bit integer') : new Uint(whole);
  },
  double: (value) => readDouble(value) ?? new Refusal('must be a number'),
  duration: (value) => readText(value, parseDuration) ?? new Refusal('must be a duration such as 1h30m'),
  timestamp: (value) =>
    readText(value, parseTimestamp) ?? new Refusal('must be an RFC 3339 date and time in the years 1 to 9999'),
  ipaddress: (value) => readText(value, parseIpAddress) ?? new Refusal('must be an IPv4 or IPv6 address'),
};

function listConverter(item: Converter): Converter {
  return (value) => {
    if (!Array.isArray(value)) return new Refusal('must be a list');
    const converted: unknown[] = [];
    for (const [index, raw] of value.entries()) {
      const result = item(raw);
      if (result instanceof Refusal) return result.below(`[${index}]`);
      converted.push(result);
    }
    return converted;
  };
}

/** A `Map`, because an object would give `__proto__` and its kin a meaning. */
function mapConverter(item: Converter): Converter {
  return (value) => {
    if (!isRecord(value)) return new Refusal('must be a map');
    const converted = new Map<string, unknown>();
    for (const [key, raw] of Object.entries(value)) {
      const result = item(raw);
      if (result instanceof Refusal) return result.below(`.${key}`);
      converted.set(key, result);
    }
    return converted;
  };
}

/** JSON as CEL sees it: every number a double. */
function fromJson(value: unknown, depth: number): unknown {
  if (depth > VALUE_DEPTH_MAX) return new Refusal(`must nest at most ${VALUE_DEPTH_MAX} deep`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : new Refusal('must be a finite number');
  const item = (inner: unknown): unknown => fromJson(inner, depth + 1);
  if (Array.isArray(value)) return listConverter(item)(value);
  return isRecord(value) ? mapConverter(item)(value) : new Refusal('must be JSON');
}

function readInteger(value: unknown, min: bigint, max: bigint): bigint | undefined {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) return undefined;
  } else if (typeof value !== 'string' || !INTEGER.test(value)) return undefined;
  const whole = BigInt(typeof value === 'string' ? value.replace('+', '') : value);
  return whole < min || whole > max ? undefined : whole;
}

function readDouble(value: unknown): number | undefined {
  if (typeof value === 'string' && (value.length > NUMBER_LENGTH_MAX || !NUMBER.test(value))) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function readText<T>(value: unknown, parse: (text: string) => T | undefined): T | undefined {
  return typeof value === 'string' ? parse(value) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
