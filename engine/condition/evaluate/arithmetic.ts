import type { Meter } from '../meter.ts';
import { Duration } from '../values/duration.ts';
import { addTimes, negative, subtractTimes } from '../values/time-arithmetic.ts';
import { INT_MAX, INT_MIN, UINT_MAX, Uint } from '../values/uint.ts';
import { noOverload } from './failures.ts';
import { sizeOf } from './functions.ts';

export type Arithmetic = (left: unknown, right: unknown, meter: Meter) => unknown;

/** Operators over numbers, texts, lists and times. Each throws where its result is out of range. */
export const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map<string, Arithmetic>([
  ['+', add],
  ['-', subtract],
  ['*', (left, right) => numbers('*', left, right)],
  ['/', (left, right) => numbers('/', left, right)],
  ['%', (left, right) => numbers('%', left, right)],
]);

function add(left: unknown, right: unknown, meter: Meter): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    meter.spend((left.length + right.length) >> 3);
    return left + right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    meter.spend((left.length + right.length) >> 3);
    return [...left, ...right];
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    meter.spend((sizeOf(left) + sizeOf(right)) >> 3);
    return new Uint8Array([...left, ...right]);
  }
  return addTimes(left, right) ?? numbers('+', left, right);
}

function subtract(left: unknown, right: unknown): unknown {
  return subtractTimes(left, right) ?? numbers('-', left, right);
}

/** A duration has no minus by its type, and one where its type is looked at now, as in cel-go. */
export function negate(value: unknown): bigint | number | Duration {
  if (typeof value === 'number') return -value;
  if (typeof value === 'bigint') return inIntRange(-value);
  if (value instanceof Duration) return negative(value);
  throw noOverload('-', value);
}

type Sign = '+' | '-' | '*' | '/' | '%';

function numbers(sign: Sign, left: unknown, right: unknown): unknown {
  if (typeof left === 'bigint' && typeof right === 'bigint') return integers(sign, left, right);
  if (typeof left === 'number' && typeof right === 'number' && sign !== '%') return doubles(sign, left, right);
  if (!(left instanceof Uint && right instanceof Uint)) throw noOverload(sign, left, right);
  const whole = calculate(sign, left.value, right.value);
  if (whole < 0n || whole > UINT_MAX) throw new Error('unsigned integer overflow');
  return new Uint(whole);
}

export function integers(sign: Sign, left: bigint, right: bigint): bigint {
  // as in cel-go, although the remainder would be 0
  if (sign === '%' && right === -1n && left === INT_MIN) throw new Error('integer overflow');
  return inIntRange(calculate(sign, left, right));
}

function inIntRange(whole: bigint): bigint {
  if (whole > INT_MAX || whole < INT_MIN) throw new Error('integer overflow');
  return whole;
}

function calculate(sign: Sign, left: bigint, right: bigint): bigint {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      if (right === 0n) throw new Error('division by zero');
      return left / right;
    case '%':
      if (right === 0n) throw new Error('modulo by zero');
      return left % right;
  }
}

function doubles(sign: Exclude<Sign, '%'>, left: number, right: number): number {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}
