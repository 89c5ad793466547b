import type { RecordEntry } from '#engine';
import type { ListDefinition, ListPosition, SortKey } from './definition.ts';

/** A value of an order as it is compared: texts in lower case. */
export function lowered(key: SortKey): SortKey {
  return typeof key === 'string' ? key.toLowerCase() : key;
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
export function comparePlaces(left: ListPosition, right: ListPosition): number {
  return compareKeys(left.key, right.key) || compareIds(left.id, right.id);
}

/** Between the texts of an entry: no search contains it. */
const SEPARATOR = '\n';

/** What a search looks through: the texts of an entry, in lower case. */
export function searchedText(texts: readonly (string | undefined | null)[]): string {
  return texts
    .filter((part) => part !== undefined && part !== null)
    .join(SEPARATOR)
    .toLowerCase();
}

export interface EntryOrder {
  /** A name of `sorts`, or `''` for the order of ids. */
  readonly sortBy: string;
  readonly descending: boolean;
  readonly after?: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface EntryPage<Document> {
  readonly entries: readonly RecordEntry<Document>[];
  /** Of the last entry. */
  readonly last: ListPosition | undefined;
}

/** A page of entries that are all at hand, in the order in which a list would have them. */
export function entryPage<Document>(
  { sorts }: Pick<ListDefinition<Document>, 'sorts'>,
  entries: readonly RecordEntry<Document>[],
  { sortBy, descending, after, offset, limit }: EntryOrder,
): EntryPage<Document> {
  const keyOf = ({ id, document }: RecordEntry<Document>): SortKey => lowered(sorts[sortBy]?.(document, id));
  const sign = descending ? -1 : 1;
  const compare = (left: ListPosition, right: ListPosition): number => sign * comparePlaces(left, right);
  const placed = entries.map((entry) => ({ entry, key: keyOf(entry), id: entry.id })).sort(compare);
  const from = after === undefined ? 0 : placed.findIndex((each) => compare(each, after) > 0);
  const page = from < 0 ? [] : placed.slice(from + offset, from + offset + limit);
  const last = page.at(-1);
  return { entries: page.map(({ entry }) => entry), last: last && { key: last.key, id: last.id } };
}
