import type { Attribute } from '../schema/attribute.ts';
import type { Operator } from './filter.ts';
import type { Literal } from './filter-scanner.ts';
import { instantOf } from './instant.ts';

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
  // part of a text, and not a whole value
  if (operator === 'co' || operator === 'sw' || operator === 'ew') return text;
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
