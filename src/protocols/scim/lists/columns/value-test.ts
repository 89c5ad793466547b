import { type Filter, type Operator, termsIn } from '../../filter/filter.ts';
import { valueMatcher } from '../../filter/match-filter.ts';
import { comparison } from '../../filter/values.ts';
import { subAttributeOf } from '../../schema/attribute-path.ts';
import type { Attribute } from '../../schema/resource-type.ts';

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
  return termsIn(filter).every(({ path }) => path.attribute !== 'value');
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

type Value = Readonly<Record<string, unknown>>;

/** What lists keep of a value beside its `value`, as one text: there are few kinds. */
export function kindText({ type = '', primary }: Value): string {
  return `${primary === true ? '1' : '0'}${String(type)}`;
}

/** The same as sub-attributes. */
function kindOf(text: string): Value {
  const type = text.slice(1);
  return { ...(type === '' ? {} : { type }), ...(text.startsWith('1') ? { primary: true } : {}) };
}

/** The sub-attributes that lists keep of a value. */
const kept: ReadonlySet<string> = new Set(['value', 'type', 'primary']);

/** Whether the filter of a value path looks at nothing else. */
export function looksAtKept(filter: Filter): boolean {
  return termsIn(filter).every(({ path }) => kept.has(path.attribute));
}

/** A test of what columns keep: texts of attributes without regard to case are there in lower case already. */
export function columnComparison(
  attribute: Attribute,
  operator: Operator,
  wanted: string | number | boolean,
): (stored: unknown) => boolean {
  const text = typeof wanted === 'string' && !attribute.caseExact ? wanted.toLowerCase() : wanted;
  return comparison({ ...attribute, caseExact: true }, operator, text);
}
