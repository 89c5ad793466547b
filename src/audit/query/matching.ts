import type { AuditTables } from './audit-tables.ts';
import { type Condition, type CountedRun, conditionsOf, meeting } from './conditions.ts';
import { type AuditFilters, type EntryRange, matchesSearch, rangeOf } from './filters.ts';
import { mergedIds, type Page, pageOfRuns } from './merged-ids.ts';

/** How many matching entries to pass over, and how many to take. */
export interface Wanted extends Page {
  /** Whether all matching entries are to be counted, or only as many looked at as are taken. */
  readonly counted: boolean;
}

export interface Matching {
  readonly ids: readonly string[];
  /** Of all matching entries, where `wanted.counted`; where `reached` is set, of those up to it. */
  readonly total: number;
  /** The first id that was not looked at, where a bound ended the search before it was through. */
  readonly reached?: string;
}

/** Looks into further indexes, about 1 µs each, or at the kind of an entry, about 5; records read for a search, about 10. */
const LOOKS_MAX = 200_000;
const READ_MAX = 20_000;
const BATCH = 1000;

/** One run has no share among others: how many they are does not matter. */
const allEntries: CountedRun = { index: undefined, key: '', count: 1 };
/** The chain counts them, without what retention could not read: no page is read from the other end by that. */
const allInOrder: CountedRun = { ...allEntries, count: Number.POSITIVE_INFINITY };

/**
 * Ids of matching entries in the order of time. The most selective condition is walked and its ids are tried against
 * the others, so that what is looked at is at most as much as the rarest thing asked for. To be called inside a snapshot.
 */
export function matchEntries(tables: AuditTables, filters: AuditFilters, wanted: Wanted): Matching {
  const range = rangeOf(filters);
  const [first, ...others] = conditionsOf(tables, filters.equal, range);
  if (first?.count === 0) return { ids: [], total: 0 };
  if (others.length > 0 || filters.search !== undefined)
    return new Walk(tables, filters, others, wanted).run(first?.runs ?? [allEntries], range);
  const ids = pageOfRuns(tables, first?.runs ?? [allInOrder], range, wanted);
  return { ids, total: first?.count ?? tables.countAll(range) };
}

class Walk {
  readonly #tables: AuditTables;
  readonly #filters: AuditFilters;
  readonly #others: readonly Condition[];
  readonly #wanted: Wanted;
  readonly #ids: string[] = [];
  #total = 0;
  #looks = 0;
  #read = 0;

  constructor(tables: AuditTables, filters: AuditFilters, others: readonly Condition[], wanted: Wanted) {
    this.#tables = tables;
    this.#filters = filters;
    this.#others = others;
    this.#wanted = wanted;
  }

  run(runs: readonly CountedRun[], range: EntryRange): Matching {
    const { counted, skip, take } = this.#wanted;
    const size = counted ? BATCH : Math.min(BATCH, skip + take);
    for (const batch of mergedIds(this.#tables, runs, range, this.#wanted, size)) {
      if (this.#looks >= LOOKS_MAX) return this.#endedAt(batch[0]);
      for (const id of this.#met(batch)) {
        if (this.#read >= READ_MAX) return this.#endedAt(id);
        if (this.#isSearched(id)) this.#take(id);
        if (this.#isDone()) break;
      }
      if (this.#isDone()) break;
    }
    return this.#endedAt(undefined);
  }

  #endedAt(reached: string | undefined): Matching {
    return { ids: this.#ids, total: this.#total, ...(reached === undefined ? {} : { reached }) };
  }

  #isDone(): boolean {
    const { skip, take, counted } = this.#wanted;
    return !counted && this.#total >= skip + take;
  }

  /** Those that meet all other conditions. */
  #met(batch: readonly string[]): readonly string[] {
    let met = batch;
    for (const condition of this.#others) {
      this.#looks += met.length;
      met = meeting(this.#tables, condition, met);
    }
    return met;
  }

  #isSearched(id: string): boolean {
    const { search } = this.#filters;
    if (search === undefined) return true;
    this.#read++;
    const entry = this.#tables.entry(id);
    return entry !== undefined && matchesSearch(entry, search);
  }

  #take(id: string): void {
    const { skip, take } = this.#wanted;
    if (this.#total >= skip && this.#ids.length < take) this.#ids.push(id);
    this.#total++;
  }
}
