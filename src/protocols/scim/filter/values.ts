import type { Attribute, AttributeType } from '../schema/resource-type.ts';
import type { Operator } from './filter.ts';
import type { Literal } from './filter-scanner.ts';

const dateTime = /^-?\d{4,9}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,12})?(Z|[+-]\d\d:\d\d)?$/;

/** Milliseconds of an xsd:dateTime (RFC 7643, 2.3.5), in UTC where it names no zone. `undefined` where it is none. */
export function instantOf(text: string): number | undefined {
  const found = dateTime.exec(text);
  if (found === null) return undefined;
  const instant = Date.parse(found[1] === undefined ? `${text}Z` : text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** A number of JSON (RFC 8259, 6). */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The value in the attribute's type; `undefined` where it has none. Whether it stands in quotation marks does not count,
 * as clients write `active eq "True"` and `employeeNumber eq 701984`.
 */
export function readLiteral(
  { type }: Attribute,
  operator: Operator,
  { text }: Literal,
): string | number | boolean | undefined {
  if (isOfParts(operator)) return text;
  switch (type) {
    case 'boolean':
      return readBoolean(text);
    case 'integer':
    case 'decimal':
      return number.test(text) ? Number(text) : undefined;
    case 'dateTime':
      return instantOf(text) === undefined ? undefined : text;
    default:
      return text;
  }
}

/** `true`, `"True"`, `FALSE`. */
export function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (lower === 'true') return true;
  return lower === 'false' ? false : undefined;
}

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

/** Whether an operator looks for a part of a text, and not for a whole value. */
export function isOfParts(operator: Operator): operator is keyof typeof parts {
  return Object.hasOwn(parts, operator);
}

/** Tests one value of an attribute. A value of another type than the attribute's passes no test. */
export function comparison(attribute: Attribute, operator: Operator, wanted: Value): (value: unknown) => boolean {
  if (isOfParts(operator)) {
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
