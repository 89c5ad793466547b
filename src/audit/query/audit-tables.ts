import type { IndexReader, Store } from '#engine';
import { actors } from '../../directory/records/index.ts';
import {
  type AuditIndex,
  entryRecords,
  type Kind,
  type KindField,
  kindFields,
  kindOf,
  type StoredEntry,
} from '../../kernel/audit/index.ts';
import type { AuditFilters, EntryRange } from './filters.ts';

/** Entries with one key of an index, or without an index all of them. Their ids are in the order of time. */
export interface Run {
  readonly index: string | undefined;
  readonly key: string;
}

const KINDS_MAX = 100_000;

interface KeyedKind extends Run {
  readonly kind: Kind;
}

/** What a question about entries has at hand, in one snapshot. */
export class AuditTables {
  readonly index: IndexReader;
  readonly #store: Store;
  #kinds: readonly KeyedKind[] | undefined;
  #hasEach: boolean | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.index = entryRecords.index(store);
  }

  /** Are there entries that have a key for each field of their kind? */
  get hasEach(): boolean {
    // every such entry has a result
    this.#hasEach ??= this.index.keys('result', { limit: 1 }).length > 0;
    return this.#hasEach;
  }

  /** Runs that have all entries with these fields between them, each once. Of several fields only where not `hasEach`. */
  kindRuns(fields: Kind): Run[] {
    const wanted = Object.entries(fields) as [KindField, string][];
    const runs: Run[] = this.#allKinds().filter(({ kind }) => wanted.every(([field, value]) => kind[field] === value));
    const each = this.hasEach ? wanted.map(([index, key]) => ({ index, key })) : [];
    return [...runs, ...each];
  }

  count({ index, key }: Run, range: EntryRange): number {
    return this.index.count(index, key, range);
  }

  /** All entries of a range, counted without their records. */
  countAll(range: EntryRange): number {
    if (range.from === undefined && range.before === undefined) {
      const chain = this.#store.chain(entryRecords.collection);
      return (chain.head()?.sequence ?? 0) - (chain.checkpoint()?.sequence ?? 0);
    }
    const each = this.hasEach ? this.index.keys('result', { limit: KINDS_MAX }) : [];
    const runs = [...this.#allKinds(), ...each.map((key) => ({ index: 'result', key }))];
    return runs.reduce((sum, run) => sum + this.count(run, range), 0);
  }

  /** Distinct values of a field, in the order of their bytes. */
  values(field: AuditIndex, limit: number): string[] {
    if (!isKindField(field)) return this.index.keys(field, { limit });
    const each = this.hasEach ? this.index.keys(field, { limit }) : [];
    const values = new Set(each);
    for (const { kind } of this.#allKinds()) values.add(kind[field] ?? '');
    return [...values].sort((a, b) => Buffer.from(a).compare(Buffer.from(b))).slice(0, limit);
  }

  entry(id: string): StoredEntry | undefined {
    return entryRecords.get(this.#store, id)?.document;
  }

  #allKinds(): readonly KeyedKind[] {
    this.#kinds ??= this.index
      .keys('kind', { limit: KINDS_MAX })
      .map((key) => ({ index: 'kind', key, kind: kindOf(key) }));
    return this.#kinds;
  }
}

function isKindField(field: AuditIndex): field is KindField {
  return (kindFields as readonly string[]).includes(field);
}

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
    ...others.map(([index, key]) => counted(tables, { [index]: key }, runsOf(index, key), range)),
  ];
  return conditions.sort((a, b) => a.count - b.count);
}

/** An actor has another name in entries of earlier versions. An entry has one of them. */
function runsOf(index: AuditIndex, key: string): Run[] {
  const former = index === 'actorId' ? actors.formerName(key) : undefined;
  return former === undefined
    ? [{ index, key }]
    : [
        { index, key },
        { index, key: former.id },
      ];
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
export function meets(tables: AuditTables, { fields, runs }: Condition, id: string): boolean {
  if (runs.length <= 2) return runs.some(({ index, key }) => index === undefined || tables.index.has(index, key, id));
  // to read the entry takes no longer than to look into more of them, which only fields of the kind have
  const entry = tables.entry(id);
  return Object.entries(fields as Kind).every(([field, value]) => entry?.[field as KindField] === value);
}
