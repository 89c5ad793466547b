import { z } from 'zod';
import { type AuditIndex, kindFields, type StoredEntry, shownEntry } from '../../kernel/audit/index.ts';
import { firstIdAt } from '../../platform/index.ts';

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

/** As they are kept with an export. */
export const filtersSchema: z.ZodType<AuditFilters> = z.strictObject({
  equal: z.partialRecord(z.enum([...kindFields, 'actorId', 'ipAddress', 'targetId']), z.string()),
  from: z.number().optional(),
  to: z.number().optional(),
  before: z.string().optional(),
  search: z.string().optional(),
});

export interface EntryRange {
  /** Ids from one, and before another. */
  readonly from: string | undefined;
  readonly before: string | undefined;
}

export function rangeOf({ from, to, before }: Pick<AuditFilters, 'from' | 'to' | 'before'>): EntryRange {
  return {
    from: from === undefined ? undefined : firstIdAt(from),
    before: before ?? (to === undefined ? undefined : firstIdAt(to + 1)),
  };
}

export function matchesSearch(entry: StoredEntry, search: string): boolean {
  const { id, orgId, createdAt, metadata, ...shown } = shownEntry(entry);
  const texts = [...Object.values(shown), JSON.stringify(metadata)];
  return texts.some((text) => text.toLowerCase().includes(search));
}
