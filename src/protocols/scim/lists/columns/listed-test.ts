import type { ListedTest } from '../../../../kernel/lists/index.ts';
import type { Comparison, Filter } from '../../filter/filter.ts';
import { instantOf } from '../../filter/values.ts';
import { pathText } from '../../schema/attribute-path.ts';

/**
 * A filter as lists of users in the store can be asked for it, exactly: who is active, and times of the resource, also
 * several of them at once, and none of several. `undefined` where it asks for anything else.
 */
export function listedTest(filter: Filter): ListedTest | undefined {
  if (filter.kind === 'compare') return comparisonTest(filter);
  if (filter.kind === 'not') {
    const opposite = oppositeOf(filter.term);
    return opposite && listedTest(opposite);
  }
  if (filter.kind !== 'and') return undefined;
  const terms: ListedTest[] = [];
  for (const term of filter.terms) {
    const test = listedTest(term);
    if (test === undefined) return undefined;
    terms.push(test);
  }
  const wanted = new Set(terms.flatMap(({ where = {} }) => Object.values(where)));
  // nobody is both
  if (wanted.size > 1) return undefined;
  return {
    where: Object.assign({}, ...terms.map(({ where }) => where)),
    between: terms.flatMap(({ between = [] }) => between),
  };
}

const opposites: Readonly<Partial<Record<Comparison['operator'], Comparison['operator']>>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'le',
  le: 'gt',
  lt: 'ge',
  ge: 'lt',
};

/** What matches exactly where a filter does not, if it asks for attributes that every resource has. */
function oppositeOf(filter: Filter): Filter | undefined {
  if (filter.kind === 'not') return filter.term;
  if (filter.kind === 'compare') {
    const operator = opposites[filter.operator];
    return operator && { ...filter, operator };
  }
  if (filter.kind !== 'or') return undefined;
  const terms = filter.terms.map(oppositeOf);
  return terms.every((term) => term !== undefined) ? { kind: 'and', terms } : undefined;
}

/** Of attributes that every user has. */
function comparisonTest({ path, operator, value }: Comparison): ListedTest | undefined {
  const name = pathText(path);
  if (name === 'active' && typeof value === 'boolean') {
    if (operator === 'eq') return { where: { isActive: value } };
    return operator === 'ne' ? { where: { isActive: !value } } : undefined;
  }
  if (name !== 'meta.created' && name !== 'meta.lastModified') return undefined;
  const instant = instantOf(String(value));
  const bounds = instant === undefined ? undefined : boundsOf(operator, instant);
  return bounds && { between: [{ sortBy: name, ...bounds }] };
}

/** Times are whole milliseconds. */
function boundsOf(operator: Comparison['operator'], instant: number) {
  switch (operator) {
    case 'eq':
      return { from: instant, below: instant + 1 };
    case 'gt':
      return { from: instant + 1 };
    case 'ge':
      return { from: instant };
    case 'lt':
      return { below: instant };
    case 'le':
      return { below: instant + 1 };
    default:
      return undefined;
  }
}
