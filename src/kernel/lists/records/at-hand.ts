import { folded, type RecordEntry } from '#engine';
import type { ListQuery } from '../list-query.ts';
import { type Family, type ListAnswer, listAnswer } from '../page.ts';
import type { ListDefinition } from './definition.ts';
import { comparePositions, searchedText, sortKeyIn } from './sorted-page.ts';

/** What of a list definition a list needs whose entries are all at hand. */
export type ShownBy<Document> = Pick<ListDefinition<Document>, 'text' | 'sorts' | 'exactSorts'>;

type Listed<Document> = Pick<RecordEntry<Document>, 'id' | 'document'>;

/**
 * One page of entries that are all at hand, at most some thousands, searched and sorted as the records of that definition
 * are elsewhere. Where no order is asked for, they stay in theirs.
 */
export function entriesAnswer<Document, Entry extends Listed<Document>>(
  shownBy: ShownBy<Document>,
  entries: readonly Entry[],
  { page, search = '', sortBy, descending }: ListQuery,
  family: Family,
): ListAnswer<Entry> {
  const wanted = folded(search);
  const found = entries.filter(({ id, document }) => searchedText(shownBy.text(document, id)).includes(wanted));
  const ordered =
    sortBy === undefined || shownBy.sorts[sortBy] === undefined
      ? found
      : found
          .map((entry) => ({ entry, key: sortKeyIn(shownBy, sortBy, entry.document, entry.id), id: entry.id }))
          .sort(comparePositions)
          .map(({ entry }) => entry);
  return listAnswer(descending ? ordered.toReversed() : ordered, page, family);
}
