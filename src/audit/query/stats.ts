import type { AuditIndex } from '../../kernel/audit/index.ts';
import type { AuditTables } from './audit-tables.ts';
import { conditionsOf } from './conditions.ts';
import { type AuditFilters, rangeOf } from './filters.ts';

export const statGroups = { action: 'action', user: 'actorId' } as const satisfies Record<string, AuditIndex>;

export type StatGroup = keyof typeof statGroups;

export interface AuditStats {
  readonly groupBy: StatGroup;
  /** Entries in the time that was asked for. */
  readonly total: number;
  /** The most frequent first, at most a thousand. */
  readonly groups: readonly { readonly key: string; readonly count: number }[];
}

const KEYS_MAX = 100_000;
const GROUPS_MAX = 1000;

/** How many entries there are of each action, or by each actor. Counted in the index. To be called inside a snapshot. */
export function readStats(
  tables: AuditTables,
  groupBy: StatGroup,
  times: Pick<AuditFilters, 'from' | 'to'>,
): AuditStats {
  const index = statGroups[groupBy];
  const range = rangeOf(times);
  const groups = tables
    .values(index, KEYS_MAX)
    .map((key) => ({ key, count: conditionsOf(tables, { [index]: key }, range)[0]?.count ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return { groupBy, total: tables.countAll(range), groups: groups.slice(0, GROUPS_MAX) };
}

const ACTIONS_MAX = 10_000;

/** Distinct action names in the log, in their order. To be called inside a snapshot. */
export function readActions(tables: AuditTables): string[] {
  return tables.values('action', ACTIONS_MAX);
}
