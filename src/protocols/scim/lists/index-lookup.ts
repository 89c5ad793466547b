import type { Comparison, Filter } from '../filter/filter.ts';
import { pathText } from '../schema/attribute-path.ts';

/** Ids of the records with one value of an attribute, by an index; `undefined` where no index has it. */
export type IndexLookup = (path: string, value: string) => readonly string[] | undefined;

/**
 * Ids of records that contain all that a filter matches, where indexes find them: then nothing else needs to be looked
 * at. `undefined` where they do not.
 */
export function indexedIds(filter: Filter, lookup: IndexLookup): ReadonlySet<string> | undefined {
  switch (filter.kind) {
    case 'and':
      return first(filter.terms, (term) => indexedIds(term, lookup));
    case 'or': {
      const found = new Set<string>();
      for (const term of filter.terms) {
        const ids = indexedIds(term, lookup);
        if (ids === undefined) return undefined;
        for (const id of ids) found.add(id);
      }
      return found;
    }
    case 'compare':
      return equalIds(filter, pathText(filter.path), lookup);
    case 'values':
      return valueIds(filter.filter, filter.path.attribute, lookup);
    default:
      return undefined;
  }
}

/** `emails[type eq "work" and value eq "x"]` is found by its value. */
function valueIds(filter: Filter, attribute: string, lookup: IndexLookup): ReadonlySet<string> | undefined {
  if (filter.kind === 'and') return first(filter.terms, (term) => valueIds(term, attribute, lookup));
  return filter.kind === 'compare' ? equalIds(filter, `${attribute}.${filter.path.attribute}`, lookup) : undefined;
}

function equalIds({ operator, value }: Comparison, path: string, lookup: IndexLookup): ReadonlySet<string> | undefined {
  if (operator !== 'eq' || typeof value !== 'string') return undefined;
  const ids = lookup(path, value);
  return ids && new Set(ids);
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
