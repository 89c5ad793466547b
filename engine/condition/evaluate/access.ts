import { Uint } from '../values/uint.ts';
import { AbsentKey, noOverload } from './failures.ts';

/** A value as the key of a map: numbers are integers, whatever their type. Undefined is the key of nothing. */
export function keyOf(value: unknown): string | boolean | bigint | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** `path` names what would have to be there, for who asks what is missing. */
export function fieldOf(operand: unknown, field: string, path: string | undefined): unknown {
  if (!(operand instanceof Map)) throw noOverload('a field', operand);
  const value: unknown = operand.get(field);
  if (value === undefined) throw new AbsentKey(field, path);
  return value;
}

/** What is no map has no fields; of a list none can be asked for. */
export function hasField(operand: unknown, field: string): boolean {
  if (Array.isArray(operand)) throw noOverload('has()', operand);
  return operand instanceof Map && operand.has(field);
}

export function itemOf(operand: unknown, index: unknown, path: string | undefined): unknown {
  const key = keyOf(index);
  if (operand instanceof Map) {
    const value: unknown = operand.get(key);
    if (value === undefined) throw new AbsentKey(index instanceof Uint ? index.value : index, path);
    return value;
  }
  if (!Array.isArray(operand) || typeof key !== 'bigint') throw noOverload('[]', operand, index);
  if (key < 0n || key >= operand.length) throw new Error(`the index ${key} is out of bounds`);
  return operand[Number(key)];
}

export function mapLiteral(entries: Iterable<readonly [unknown, unknown]>): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const [each, value] of entries) {
    const key = typeof each === 'number' ? undefined : keyOf(each);
    if (key === undefined) throw noOverload('the key of a map', each);
    map.set(key, value);
  }
  return map;
}
