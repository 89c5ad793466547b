import { type AuditEntry, type AuditIndex, shownEntry } from '../../kernel/audit/index.ts';
import { timeOfId } from '../../platform/index.ts';
import type { AuditTables } from './audit-tables.ts';
import type { AuditFilters } from './filters.ts';
import { matchEntries } from './matching.ts';

/** Beside the time, what has few different values: each is counted to find where a page begins. */
export const auditSorts = ['createdAt', 'action', 'eventType', 'result', 'severity'] as const;

export interface EntryQuery {
  readonly filters: AuditFilters;
  readonly skip: number;
  readonly take: number;
  readonly sortBy: (typeof auditSorts)[number];
  readonly descending: boolean;
}

export interface EntryPage {
  readonly entries: readonly AuditEntry[];
  readonly total: number;
  /** Milliseconds since the epoch, where a bound ended the search: what lies beyond was not looked at. */
  readonly searchedTo?: number;
}

/** Distinct values that are walked to sort by a field. */
const KEYS_MAX = 10_000;

/** One page of the log. To be called inside a snapshot. */
export function readEntryPage(tables: AuditTables, query: EntryQuery): EntryPage {
  const { filters, skip, take, sortBy, descending } = query;
  if (sortBy === 'createdAt' || filters.equal[sortBy] !== undefined) {
    // entries that are alike in what they are sorted by come newest first
    const order = sortBy === 'createdAt' ? descending : true;
    const { ids, total, reached } = matchEntries(tables, filters, { skip, take, descending: order, counted: true });
    const entries = entriesOf(tables, ids);
    return { entries, total, ...(reached === undefined ? {} : { searchedTo: timeOfId(reached) }) };
  }
  return sorted(tables, { ...query, sortBy });
}

function sorted(tables: AuditTables, query: EntryQuery & { readonly sortBy: AuditIndex }): EntryPage {
  const { filters, skip, take, sortBy, descending } = query;
  const keys = tables.values(sortBy, KEYS_MAX);
  if (descending) keys.reverse();
  const ids: string[] = [];
  let total = 0;
  let searchedTo: number | undefined;
  for (const key of keys) {
    const part = matchEntries(
      tables,
      { ...filters, equal: { ...filters.equal, [sortBy]: key } },
      { skip: Math.max(0, skip - total), take: take - ids.length, descending: true, counted: true },
    );
    ids.push(...part.ids);
    total += part.total;
    if (part.reached !== undefined) searchedTo = Math.max(searchedTo ?? 0, timeOfId(part.reached));
  }
  return { entries: entriesOf(tables, ids), total, ...(searchedTo === undefined ? {} : { searchedTo }) };
}

export function entriesOf(tables: AuditTables, ids: readonly string[]): AuditEntry[] {
  return ids.flatMap((id) => {
    const entry = tables.entry(id);
    return entry === undefined ? [] : [shownEntry(entry)];
  });
}
