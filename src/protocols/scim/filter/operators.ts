import type { Attribute, AttributeType } from '../schema/attribute.ts';
import type { Operator } from './filter.ts';
import { instantOf } from './instant.ts';

type Value = string | number | boolean;

const order: Readonly<Record<'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le', (left: Value, right: Value) => boolean>> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  gt: (left, right) => left > right,
  ge: (left, right) => left >= right,
  lt: (left, right) => left < right,
  le: (left, right) => left <= right,
};
const parts: Readonly<Record<'co' | 'sw' | 'ew', (left: string, right: string) => boolean>> = {
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right),
};

const equality: readonly Operator[] = ['eq', 'ne'];
const ordered: readonly Operator[] = [...equality, 'gt', 'ge', 'lt', 'le'];
const textual: readonly Operator[] = [...ordered, 'co', 'sw', 'ew'];

/** What can be asked of which type. Neither booleans nor bytes have an order (RFC 7644, 3.4.2.2, table 3). */
export const operatorsOf: Readonly<Record<AttributeType, readonly Operator[]>> = {
  string: textual,
  reference: textual,
  dateTime: textual,
  integer: ordered,
  decimal: ordered,
  boolean: equality,
  binary: equality,
  complex: [],
};

export function isOperator(word: string): word is Operator {
  return (textual as readonly string[]).includes(word);
}

/** Tests one value of an attribute. A value of another type than the attribute's passes no test. */
export function comparison(attribute: Attribute, operator: Operator, wanted: Value): (value: unknown) => boolean {
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    const fold = folding(attribute);
    const part = fold(String(wanted));
    return (value) => typeof value === 'string' && parts[operator](fold(value), part);
  }
  const compare = order[operator];
  if (attribute.type === 'dateTime') {
    const instant = instantOf(String(wanted)) ?? Number.NaN;
    return (value) => typeof value === 'string' && compare(instantOf(value) ?? Number.NaN, instant);
  }
  if (typeof wanted !== 'string') return (value) => typeof value === typeof wanted && compare(value as Value, wanted);
  const fold = folding(attribute);
  const text = fold(wanted);
  return (value) => typeof value === 'string' && compare(fold(value), text);
}

/** Without regard to case where the attribute has none, and to no language. */
function folding({ caseExact, type }: Attribute): (text: string) => string {
  return caseExact || type === 'dateTime' ? (text) => text : (text) => text.toLowerCase();
}
