import type { Filter } from '../../filter/filter.ts';
import { valueMatcher } from '../../filter/match-filter.ts';
import type { Attribute } from '../../schema/attribute.ts';
import { subAttributeOf } from '../../schema/attribute-path.ts';
import { columnComparison } from './column-comparison.ts';
import { kindOf } from './value-kinds.ts';

/** A test of one value of an attribute, by its `value` as columns keep it and by its kind. */
export type ValueTest = (value: string, kind: string) => boolean;

/**
 * The filter of a value path as a test of what columns keep: nothing is made for a value that is tested. What it says of
 * kinds alone is found out once for each kind.
 */
export function valueTest(attribute: Attribute, filter: Filter): ValueTest {
  if (isOfKinds(filter)) return kindTest(attribute, filter);
  switch (filter.kind) {
    case 'and': {
      const tests = kindsFirst(filter.terms).map((term) => valueTest(attribute, term));
      return (value, kind) => tests.every((test) => test(value, kind));
    }
    case 'or': {
      const tests = kindsFirst(filter.terms).map((term) => valueTest(attribute, term));
      return (value, kind) => tests.some((test) => test(value, kind));
    }
    case 'not': {
      const test = valueTest(attribute, filter.term);
      return (value, kind) => !test(value, kind);
    }
    case 'compare': {
      const of = subAttributeOf(attribute, 'value');
      if (of === undefined) return () => filter.operator === 'ne';
      return columnComparison(of, filter.operator, filter.value);
    }
    default:
      return (value) => value !== '';
  }
}

/** They cost less. */
function kindsFirst(terms: readonly Filter[]): readonly Filter[] {
  return [...terms.filter(isOfKinds), ...terms.filter((term) => !isOfKinds(term))];
}

function isOfKinds(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.every(isOfKinds);
    case 'not':
      return isOfKinds(filter.term);
    default:
      return filter.path.attribute !== 'value';
  }
}

/** Types are texts of clients, so that as many kinds are remembered as there usually are, and no more. */
const KINDS_MAX = 1000;

function kindTest(attribute: Attribute, filter: Filter): ValueTest {
  const passes = valueMatcher(attribute, filter);
  const known = new Map<string, boolean>();
  return (_, kind) => {
    const answer = known.get(kind) ?? passes(kindOf(kind));
    if (known.size < KINDS_MAX) known.set(kind, answer);
    return answer;
  };
}
