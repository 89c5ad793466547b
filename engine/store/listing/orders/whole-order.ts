import type { ListingPosition } from '../row.ts';
import type { EntryRows } from './entry-rows.ts';
import { firstWhere } from './first-where.ts';
import type { MergedOrder } from './merged-order.ts';
import type { OrderEntry } from './read-order.ts';

/** All records in one order: merged rows, and those of the tail among them. */
export class WholeOrder {
  readonly #merged: MergedOrder;
  readonly #tail: readonly OrderEntry[];
  readonly #total: number;
  readonly #keyOf: (position: ListingPosition) => Buffer;

  constructor(
    merged: MergedOrder,
    /** In the same order. */
    tail: readonly OrderEntry[],
    total: number,
    keyOf: (position: ListingPosition) => Buffer,
  ) {
    this.#merged = merged;
    this.#tail = tail;
    this.#total = total;
    this.#keyOf = keyOf;
  }

  from(position: number, limit: number): OrderEntry[] {
    if (limit <= 0) return [];
    const behind = firstWhere(this.#tail.length, (at) => this.#isFrom(position, at));
    const found = this.#merged.from(position - behind, limit);
    const among = this.#tail.slice(behind, behind + limit);
    if (among.length === 0) return found;
    return [...found, ...among].sort((one, other) => one.key.compare(other.key)).slice(0, limit);
  }

  /** How many stand up to a position, a record that is there included. */
  passed(position: ListingPosition, descending: boolean): number {
    const key = this.#keyOf(position);
    const behind = firstWhere(this.#tail.length, (at) => (this.#tail[at] as OrderEntry).key.compare(key) >= 0);
    const before = this.#merged.before(position) + behind;
    if (descending) return this.#total - before;
    return this.#tail[behind]?.key.equals(key) === true || this.#merged.has(position) ? before + 1 : before;
  }

  /** The numbers of rows, many at a time: behind a position, or without one all of them. */
  rows(entries: EntryRows, after: ListingPosition | undefined, descending: boolean): Generator<readonly number[]> {
    const sign = descending ? -1 : 1;
    const key = after && this.#keyOf(after);
    const tail = this.#tail.filter((entry) => key === undefined || sign * entry.key.compare(key) > 0);
    return this.#merged.rows(entries, after, descending, descending ? tail.reverse() : tail);
  }

  /** Whether one of the tail stands at a position or behind it. Counts of blocks say it of most, without a look at entries. */
  #isFrom(position: number, at: number): boolean {
    const { key } = this.#tail[at] as OrderEntry;
    const { least, most } = this.#merged.valuedBeforeWithin(key);
    if (at + least >= position) return true;
    return at + most >= position && at + this.#merged.valuedBefore(key) >= position;
  }
}
