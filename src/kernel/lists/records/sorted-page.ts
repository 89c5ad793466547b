import { folded } from '#engine';
import type { ListDefinition, ListPosition, SortKey } from './definition.ts';

type Sorts<Document> = Pick<ListDefinition<Document>, 'sorts' | 'exactSorts'>;

/** The value of a document in an order, as it is compared; `undefined` in that of ids, `''`. */
export function sortKeyIn<Document>(
  { sorts, exactSorts }: Sorts<Document>,
  name: string,
  document: Document,
  id: string,
): SortKey {
  const key = sorts[name]?.(document, id);
  return typeof key === 'string' && exactSorts?.has(name) !== true ? folded(key) : key;
}

export function compareKeys(left: SortKey, right: SortKey): number {
  if (left === right) return 0;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return left < right ? -1 : 1;
}

export function compareIds(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By the key, and where it is the same by id. */
export function comparePositions(left: ListPosition, right: ListPosition): number {
  return compareKeys(left.key, right.key) || compareIds(left.id, right.id);
}

/** Between the texts of an entry: no search contains it. */
const SEPARATOR = '\n';

/** What a search looks through: the texts of an entry, folded. */
export function searchedText(texts: readonly (string | undefined | null)[]): string {
  const there = texts.filter((part) => part !== undefined && part !== null);
  return there.map(folded).join(SEPARATOR);
}

/** Which part of an order a page is. */
export interface PagePart {
  readonly descending: boolean;
  readonly after?: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of positions that are all at hand, in the order of a list. Sorts the array that it is given. */
export function sortedPage<Position extends ListPosition>(
  positions: Position[],
  { descending, after, offset, limit }: PagePart,
): Position[] {
  const sign = descending ? -1 : 1;
  const compare = (left: ListPosition, right: ListPosition): number => sign * comparePositions(left, right);
  positions.sort(compare);
  const from = after === undefined ? 0 : positions.findIndex((each) => compare(each, after) > 0);
  return from < 0 ? [] : positions.slice(from + offset, from + offset + limit);
}
