import type { AuditIndex, Kind, KindField } from '../../kernel/audit/index.ts';
import { type AuditTables, isKindField, type Run } from './audit-tables.ts';
import type { AuditFilters, EntryRange } from './filters.ts';

export interface CountedRun extends Run {
  readonly count: number;
}

/** Something that is asked of entries, and where those are that have it. */
export interface Condition {
  readonly fields: AuditFilters['equal'];
  /** Those with entries in the range that was asked for. No two share an entry. */
  readonly runs: readonly CountedRun[];
  /** Entries of all runs. */
  readonly count: number;
}

/** The most selective first. */
export function conditionsOf(tables: AuditTables, equal: AuditFilters['equal'], range: EntryRange): Condition[] {
  const given = Object.entries(equal) as [AuditIndex, string][]; // `equal` has no other names
  const kind = given.filter((field): field is [KindField, string] => isKindField(field[0]));
  const others = given.filter(([field]) => !isKindField(field));
  // entries that have a key for each field are in one run for each, and not in one for all
  const groups = tables.hasEach ? kind.map((field) => [field]) : kind.length > 0 ? [kind] : [];
  const kinds: Kind[] = groups.map((fields) => Object.fromEntries(fields));
  const conditions = [
    ...kinds.map((fields) => counted(tables, fields, tables.kindRuns(fields), range)),
    ...others.map(([index, key]) => counted(tables, { [index]: key }, [{ index, key }], range)),
  ];
  return conditions.sort((a, b) => a.count - b.count);
}

function counted(
  tables: AuditTables,
  fields: AuditFilters['equal'],
  runs: readonly Run[],
  range: EntryRange,
): Condition {
  const withEntries = runs.map((run) => ({ ...run, count: tables.count(run, range) })).filter(({ count }) => count > 0);
  return { fields, runs: withEntries, count: withEntries.reduce((sum, { count }) => sum + count, 0) };
}

/** Does an entry of the range meet the condition? */
export function meets(tables: AuditTables, { fields, runs: [run, ...others] }: Condition, id: string): boolean {
  if (run === undefined) return false;
  if (others.length === 0) return run.index === undefined || tables.index.has(run.index, run.key, id);
  // to read the entry takes no longer than to look into two runs, which only fields of the kind have
  const entry = tables.entry(id);
  return Object.entries(fields as Kind).every(([field, value]) => entry?.[field as KindField] === value);
}
