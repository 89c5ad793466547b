import type { AuditIndex } from '../entries/entry.ts';
import { type AuditFilters, type AuditTables, type EntryRange, matchesSearch, rangeOf } from './filters.ts';

export interface Wanted {
  /** How many matching entries to pass over, and how many to take. */
  readonly skip: number;
  readonly take: number;
  /** Newest first. */
  readonly descending: boolean;
  /** Whether all matching entries are to be counted, or only as many looked at as are taken. */
  readonly counted: boolean;
}

export interface Matching {
  readonly ids: readonly string[];
  /** Of all matching entries, where `wanted.counted`; where `reached` is set, of those up to it. */
  readonly total: number;
  /** The last id that was looked at, where a bound ended the search before it was through. */
  readonly reached?: string;
}

/** Looks into further indexes, about 1 µs each; records read for a search, about 10 µs each. */
const LOOKS_MAX = 200_000;
const READ_MAX = 20_000;
const BATCH = 1000;

interface Condition {
  readonly index: AuditIndex;
  readonly key: string;
}

/**
 * Ids of matching entries in the order of time. The most selective condition is walked and its ids are tried against
 * the others, so that what is looked at is at most as much as the rarest thing asked for. To be called inside a snapshot.
 */
export function matchEntries(tables: AuditTables, filters: AuditFilters, wanted: Wanted): Matching {
  const range = rangeOf(filters);
  const conditions = Object.entries(filters.equal)
    .map(([index, key]) => ({ index: index as AuditIndex, key })) // `equal` has no other names
    .map((condition) => ({ ...condition, count: tables.index.count(condition.index, condition.key, range) }))
    .sort((a, b) => a.count - b.count);
  const [first, ...others] = conditions;
  if (first?.count === 0) return { ids: [], total: 0 };
  if (others.length > 0 || filters.search !== undefined)
    return new Walk(tables, filters, first, others, wanted).run(range);
  const { skip, take, descending } = wanted;
  const page = { ...range, descending, skip, limit: take };
  const ids = take === 0 ? [] : tables.index.ids(first?.index, first?.key ?? '', page);
  return { ids, total: first?.count ?? tables.count(range) };
}

class Walk {
  readonly #tables: AuditTables;
  readonly #filters: AuditFilters;
  readonly #first: Condition | undefined;
  readonly #others: readonly Condition[];
  readonly #wanted: Wanted;
  readonly #ids: string[] = [];
  #total = 0;
  #looks = 0;
  #read = 0;

  constructor(
    tables: AuditTables,
    filters: AuditFilters,
    first: Condition | undefined,
    others: readonly Condition[],
    wanted: Wanted,
  ) {
    this.#tables = tables;
    this.#filters = filters;
    this.#first = first;
    this.#others = others;
    this.#wanted = wanted;
  }

  run(whole: EntryRange): Matching {
    const { descending } = this.#wanted;
    let range = whole;
    for (;;) {
      const page = { ...range, descending, limit: BATCH };
      const batch = this.#tables.index.ids(this.#first?.index, this.#first?.key ?? '', page);
      for (const id of batch) {
        if (this.#isDone()) return { ids: this.#ids, total: this.#total };
        if (this.#looks >= LOOKS_MAX || this.#read >= READ_MAX) {
          return { ids: this.#ids, total: this.#total, reached: id };
        }
        this.#try(id);
      }
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return { ids: this.#ids, total: this.#total };
      // no id lies between `last` and `last!`
      range = descending ? { ...range, before: last } : { ...range, from: `${last}!` };
    }
  }

  #isDone(): boolean {
    const { skip, take, counted } = this.#wanted;
    return !counted && this.#total >= skip + take;
  }

  #try(id: string): void {
    for (const { index, key } of this.#others) {
      this.#looks++;
      if (!this.#tables.index.has(index, key, id)) return;
    }
    const { search } = this.#filters;
    if (search !== undefined) {
      this.#read++;
      const entry = this.#tables.entry(id);
      if (entry === undefined || !matchesSearch(entry, search)) return;
    }
    const { skip, take } = this.#wanted;
    if (this.#total >= skip && this.#ids.length < take) this.#ids.push(id);
    this.#total++;
  }
}
