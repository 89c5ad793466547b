import type { MergedOrder } from './merged-order.ts';
import type { ListingPosition } from './query.ts';
import type { OrderEntry, WalkedEntry } from './read-order.ts';

/** All records in one order: merged rows, and those of the tail among them. */
export class WholeOrder {
  readonly #merged: MergedOrder;
  readonly #tail: readonly OrderEntry[];
  readonly #total: number;
  readonly #positionOf: (entry: OrderEntry) => ListingPosition;
  readonly #keyOf: (position: ListingPosition) => Buffer;

  constructor(
    merged: MergedOrder,
    /** In the same order. */
    tail: readonly OrderEntry[],
    total: number,
    places: {
      readonly positionOf: (entry: OrderEntry) => ListingPosition;
      readonly keyOf: (position: ListingPosition) => Buffer;
    },
  ) {
    this.#merged = merged;
    this.#tail = tail;
    this.#total = total;
    this.#positionOf = places.positionOf;
    this.#keyOf = places.keyOf;
  }

  from(position: number, limit: number): OrderEntry[] {
    if (limit <= 0) return [];
    const behind = this.#tailBefore((entry, at) => at + this.#merged.before(this.#positionOf(entry)) < position);
    const found = this.#merged.from(position - behind, limit);
    const among = this.#tail.slice(behind, behind + limit);
    return [...inTurns(found, among, (one, other) => one.key.compare(other.key) <= 0)].slice(0, limit);
  }

  /** How many stand up to a position, a record that is there included. */
  passed(position: ListingPosition, descending: boolean): number {
    const key = this.#keyOf(position);
    const behind = this.#tailBefore((entry) => entry.key.compare(key) < 0);
    const before = this.#merged.before(position) + behind;
    if (descending) return this.#total - before;
    return this.#tail[behind]?.key.equals(key) === true || this.#merged.has(position) ? before + 1 : before;
  }

  /** One after the other, behind a position or without one all of them: of each the number of its row. */
  walk(after: ListingPosition | undefined, descending: boolean): Iterable<Pick<OrderEntry, 'row'>> {
    const sign = descending ? -1 : 1;
    const key = after && this.#keyOf(after);
    const tail = this.#tail.filter((entry) => key === undefined || sign * entry.key.compare(key) > 0);
    const isBefore = (one: OrderEntry, other: WalkedEntry): boolean => sign * other.compare(one.key) <= 0;
    return inTurns(this.#merged.walk(after, descending), descending ? tail.reverse() : tail, isBefore);
  }

  /** How many of the tail come before all others of which this is not true. */
  #tailBefore(isBefore: (entry: OrderEntry, at: number) => boolean): number {
    let from = 0;
    let to = this.#tail.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(this.#tail[middle] as OrderEntry, middle)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Two that are sorted, as one. */
function* inTurns<Entry extends OrderEntry>(
  first: Iterable<Entry>,
  second: readonly OrderEntry[],
  isBefore: (one: OrderEntry, other: Entry) => boolean,
): Generator<OrderEntry> {
  let at = 0;
  for (const entry of first) {
    const from = at;
    while (at < second.length && isBefore(second[at] as OrderEntry, entry)) at++;
    // not before all are compared: what is read of one that is answered may take the place of the entry's key
    if (at > from) yield* second.slice(from, at);
    yield entry;
  }
  yield* second.slice(at);
}
