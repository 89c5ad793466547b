import type { IndexReader, Store } from '#engine';
import { type AuditEntry, type AuditIndex, auditCollection, type StoredEntry, shownEntry } from '../entries/entry.ts';
import { idFloor } from '../entries/entry-id.ts';

/** Which entries: all that have every one of these. Plain data, which crosses threads. */
export interface AuditFilters {
  readonly equal: Readonly<Partial<Record<AuditIndex, string>>>;
  /** Milliseconds since the epoch, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only ids before this one: where a walk goes on. */
  readonly before?: string | undefined;
  /** Lower case; found anywhere in an entry's texts. */
  readonly search?: string | undefined;
}

export interface EntryRange {
  /** Ids from one, and before another. */
  readonly from: string | undefined;
  readonly before: string | undefined;
}

export function rangeOf({ from, to, before }: Pick<AuditFilters, 'from' | 'to' | 'before'>): EntryRange {
  return {
    from: from === undefined ? undefined : idFloor(from),
    before: before ?? (to === undefined ? undefined : idFloor(to + 1)),
  };
}

/** What a question about entries has at hand, in one snapshot. */
export interface AuditTables {
  readonly index: IndexReader;
  /** All entries of a range, counted without their records. */
  count(range: EntryRange): number;
  entry(id: string): StoredEntry | undefined;
}

/** Every entry has one of these: an index of it covers the log. */
const results: readonly AuditEntry['result'][] = ['success', 'failure'];

export function auditTables(store: Store): AuditTables {
  const { records } = store;
  const index = store.recordIndex(auditCollection);
  return {
    index,
    count(range) {
      if (range.from !== undefined || range.before !== undefined) {
        return results.reduce((sum, result) => sum + index.count('result', result, range), 0);
      }
      const chain = store.chain(auditCollection);
      return (chain.head()?.sequence ?? 0) - (chain.checkpoint()?.sequence ?? 0);
    },
    entry: (id) => records.get<StoredEntry>(auditCollection, id)?.document,
  };
}

export function matchesSearch(entry: StoredEntry, search: string): boolean {
  const { id, orgId, createdAt, metadata, ...shown } = shownEntry(entry);
  const texts = [...Object.values(shown), JSON.stringify(metadata)];
  return texts.some((text) => text.toLowerCase().includes(search));
}
