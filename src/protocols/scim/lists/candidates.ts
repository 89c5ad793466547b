import type { ListedTest } from '../../../kernel/lists/index.ts';
import type { Comparison, Filter } from '../filter/filter.ts';
import { pathText } from '../schema/attribute-path.ts';
import { listedTest } from './columns/listed-test.ts';

/** What a listing of the store is asked for: all that a filter matches is among what it finds. */
export interface Candidates extends ListedTest {
  /** Found anywhere in a searched text, whatever the case. */
  readonly search?: string;
}

/** Ids of the records that a listing finds; `undefined` where they are too many, or it cannot be asked. */
type Find = (candidates: Candidates) => readonly string[] | undefined;

interface Ways {
  readonly lookup: IndexLookup;
  /** Attributes whose texts a search of the listing looks through, by their paths. */
  readonly searched: ReadonlySet<string>;
  readonly find: Find;
}

/**
 * Ids of records that contain all that a filter matches, by indexes or by a listing of the store; `undefined` where they do
 * not find them, or too many. Of what is joined by `and` one term is enough, and those joined by `or` all have to be found.
 */
export function candidateIds(filter: Filter, ways: Ways): ReadonlySet<string> | undefined {
  const indexed = indexedIds(filter, ways.lookup);
  if (indexed !== undefined) return indexed;
  if (filter.kind === 'or') return unionOf(filter.terms, (term) => candidateIds(term, ways));
  const asked = askedOf(filter, ways.searched);
  const found = asked && ways.find(asked);
  if (found !== undefined) return new Set(found);
  if (filter.kind !== 'and') return undefined;
  for (const term of filter.terms) {
    const ids = term.kind === 'or' || term.kind === 'and' ? candidateIds(term, ways) : undefined;
    if (ids !== undefined) return ids;
  }
  return undefined;
}

/** What is found of all terms; `undefined` where nothing is known of one of them. */
function unionOf(
  terms: readonly Filter[],
  find: (term: Filter) => ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const term of terms) {
    const ids = find(term);
    if (ids === undefined) return undefined;
    for (const id of ids) found.add(id);
  }
  return found;
}

/** All at once that a listing can be asked for of terms that are joined. */
function askedOf(filter: Filter, searched: ReadonlySet<string>): Candidates | undefined {
  const asked: {
    search: string;
    where: Record<string, boolean>;
    between: NonNullable<ListedTest['between']>[number][];
  } = {
    search: '',
    where: {},
    between: [],
  };
  for (const term of filter.kind === 'and' ? filter.terms : [filter]) {
    const piece = term.kind === 'compare' ? pieceOf(term, searched) : '';
    if (piece.length > asked.search.length) asked.search = piece;
    const { where = {}, between = [] } = listedTest(term) ?? {};
    // of two flags that contradict each other one is asked: nobody has both
    asked.where = { ...where, ...asked.where };
    asked.between.push(...between);
  }
  const isAsked = asked.search !== '' || asked.between.length > 0 || Object.keys(asked.where).length > 0;
  return isAsked ? asked : undefined;
}

const containing: ReadonlySet<Comparison['operator']> = new Set(['eq', 'co', 'sw', 'ew']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const asciiPieces = /[\u0000-\u007f]+/g;

/**
 * A text that stands in the searched text of whatever the comparison matches; empty where there is none. Texts are searched
 * with their letters composed, and compared as they are: a letter keeps its rank in both if another one of ASCII follows.
 */
function pieceOf({ path, operator, value }: Comparison, searched: ReadonlySet<string>): string {
  if (!containing.has(operator) || typeof value !== 'string' || !searched.has(pathText(path))) return '';
  let longest = '';
  for (const [piece] of value.matchAll(asciiPieces))
    if (piece.length - 1 > longest.length) longest = piece.slice(0, -1);
  return longest;
}

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
    case 'or':
      return unionOf(filter.terms, (term) => indexedIds(term, lookup));
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
