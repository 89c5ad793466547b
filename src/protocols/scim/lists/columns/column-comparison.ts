import type { Operator } from '../../filter/filter.ts';
import { comparison } from '../../filter/operators.ts';
import type { Attribute } from '../../schema/attribute.ts';

/** A test of what columns keep: texts of attributes without regard to case are there in lower case already. */
export function columnComparison(
  attribute: Attribute,
  operator: Operator,
  wanted: string | number | boolean,
): (stored: unknown) => boolean {
  const text = typeof wanted === 'string' && !attribute.caseExact ? wanted.toLowerCase() : wanted;
  return comparison({ ...attribute, caseExact: true }, operator, text);
}
