import { actors } from '../../directory/records/index.ts';
import type { AuditIndex, Kind, KindField } from '../../kernel/audit/index.ts';
import { type AuditTables, isKindField, type KeyedRun, type Run } from './audit-tables.ts';
import type { AuditFilters, EntryRange } from './filters.ts';

export interface CountedRun extends Run {
  readonly count: number;
}

/** Something that is asked of entries, and where those are that have it. */
export interface Condition {
  readonly fields: AuditFilters['equal'];
  /** No two share an entry. */
  readonly runs: readonly KeyedRun[];
}

export interface CountedCondition extends Pick<Condition, 'fields'> {
  /** Those with entries in the range that was asked for. */
  readonly runs: readonly CountedRun[];
  /** Entries of all runs. */
  readonly count: number;
}

/** Entries to which conditions are counted at first to find the rarest. */
const COUNTED_FIRST = 500;
/** How many times as many are counted next, where all have so many. */
const COUNTED_MORE = 4;

/** Runs to look into: to read an entry takes no longer than to look into more of them, which only fields of the kind have. */
const RUNS_LOOKED_INTO = 2;

/** What the filters ask for: the rarest first. Frequent ones are not counted to their end. */
export function conditionsOf(
  tables: AuditTables,
  equal: AuditFilters['equal'],
  range: EntryRange,
): readonly [] | readonly [rarest: CountedCondition, ...others: Condition[]] {
  const conditions = unorderedConditions(tables, equal).map((each) => inRange(tables, each, range));
  const [only, ...more] = conditions;
  if (only === undefined) return [];
  if (more.length === 0) return [counted(tables, only, range)];
  let rarest: CountedCondition | undefined;
  for (let most = COUNTED_FIRST; rarest === undefined; most *= COUNTED_MORE) {
    for (const condition of conditions) {
      const bound: number = rarest?.count ?? most;
      const found = counted(tables, condition, range, bound);
      if (found.count < bound) rarest = found;
    }
  }
  const { fields } = rarest;
  return [rarest, ...conditions.filter((condition) => condition.fields !== fields)];
}

function unorderedConditions(tables: AuditTables, equal: AuditFilters['equal']): Condition[] {
  const given = Object.entries(equal) as [AuditIndex, string][]; // `equal` has no other names
  const kind = given.filter((field): field is [KindField, string] => isKindField(field[0]));
  const others = given.filter(([field]) => !isKindField(field));
  // entries that have a key for each field are in one run for each, and not in one for all
  const groups = tables.hasEach ? kind.map((field) => [field]) : kind.length > 0 ? [kind] : [];
  const kinds: Kind[] = groups.map((fields) => Object.fromEntries(fields));
  return [
    ...others.map(([index, key]) => ({ fields: { [index]: key }, runs: runsOf(index, key) })),
    ...kinds.map((fields) => ({ fields, runs: tables.kindRuns(fields) })),
  ];
}

/** Without runs that have no entry in the range, where they are many. */
function inRange(tables: AuditTables, condition: Condition, range: EntryRange): Condition {
  const { runs } = condition;
  if (runs.length <= RUNS_LOOKED_INTO) return condition;
  return { ...condition, runs: runs.filter((run) => tables.count(run, range, 1) > 0) };
}

/** An actor has another name in entries of earlier versions. An entry has one of them. */
function runsOf(index: AuditIndex, key: string): KeyedRun[] {
  const former = index === 'actorId' ? actors.formerName(key) : undefined;
  return former === undefined
    ? [{ index, key }]
    : [
        { index, key },
        { index, key: former.id },
      ];
}

/** Up to a number of entries: beyond it, runs may be left out. */
function counted(
  tables: AuditTables,
  { fields, runs }: Condition,
  range: EntryRange,
  atMost = Number.POSITIVE_INFINITY,
): CountedCondition {
  const withEntries: CountedRun[] = [];
  let count = 0;
  for (const run of runs) {
    if (count >= atMost) break;
    const entries = tables.count(run, range, atMost - count);
    if (entries > 0) withEntries.push({ ...run, count: entries });
    count += entries;
  }
  return { fields, runs: withEntries, count };
}

/** Those of some entries that meet the condition, in their order. */
export function meeting(tables: AuditTables, { fields, runs }: Condition, ids: readonly string[]): readonly string[] {
  if (runs.length <= RUNS_LOOKED_INTO) {
    const met = new Set(runs.flatMap(({ index, key }) => tables.index.among(index, key, ids)));
    return ids.filter((id) => met.has(id));
  }
  return ids.filter((id) => {
    const entry = tables.entry(id);
    return Object.entries(fields as Kind).every(([field, value]) => entry?.[field as KindField] === value);
  });
}
