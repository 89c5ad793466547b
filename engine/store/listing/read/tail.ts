import { isDeepStrictEqual } from 'node:util';
import { BoundedMap } from '../../../bounded-map.ts';
import type { Tables } from '../../environment.ts';
import { entryKey, type ListingScope, rowKey } from '../listing-keys.ts';
import { type ListingState, tailStart } from '../listing-state.ts';
import type { OrderEntry } from '../orders/read-order.ts';
import type { ListingRow } from '../row.ts';
import { readRow } from '../row-bytes.ts';
import { boundsOf, type RowZone } from '../zones/row-zones.ts';

export interface TailRow extends ListingRow {
  readonly number: number;
  readonly bytes: Buffer;
}

/** The rows of a listing that are not in all orders and sets yet: a few thousand at most. */
export class Tail {
  readonly #rows: readonly TailRow[];
  readonly #scope: ListingScope;
  readonly #state: ListingState;
  readonly #orders = new Map<number, readonly OrderEntry[]>();
  #zone: RowZone | undefined;

  constructor(scope: ListingScope, state: ListingState, rows: readonly TailRow[]) {
    this.#scope = scope;
    this.#state = state;
    this.#rows = rows;
  }

  /** The tail at a later state: without the rows that have left it, and with the new ones. */
  next(state: ListingState, added: readonly TailRow[]): Tail {
    const start = tailStart(state);
    return new Tail(this.#scope, state, [...this.#rows.filter(({ number }) => number >= start), ...added]);
  }

  /** Those that are in no set. */
  get unset(): readonly TailRow[] {
    return this.#rows.filter(({ number }) => number >= this.#state.sets);
  }

  /** The same as a zone. */
  get zone(): RowZone {
    const { sets, next } = this.#state;
    this.#zone ??= { from: sets, to: next, ids: boundsOf(this.unset.map(({ id }) => id)) };
    return this.#zone;
  }

  /** Those that have a value in an order and are not in it, as they would stand in it. */
  inOrder(order: number): readonly OrderEntry[] {
    let sorted = this.#orders.get(order);
    if (sorted === undefined) {
      const from = this.#state.orders[order] as number;
      const entries: OrderEntry[] = [];
      for (const { id, number, keys } of this.#rows) {
        const key = keys[order - 1] ?? null;
        if (number < from || key === null) continue;
        entries.push({ id, row: number, key: entryKey(this.#scope, order, key, id) });
      }
      sorted = entries.sort((left, right) => left.key.compare(right.key));
      this.#orders.set(order, sorted);
    }
    return sorted;
  }
}

/** Listings whose tails one thread keeps. */
const TAILS_MAX = 16;

/** The tails that a thread asks for again and again: where a tail has only grown, only new rows are read. */
export class Tails {
  readonly #tables: Tables;
  readonly #known = new BoundedMap<string, { readonly state: ListingState; readonly tail: Tail }>(TAILS_MAX);

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** @param searched indexes of the orders whose texts are searched */
  of(scope: ListingScope, state: ListingState, searched: readonly number[]): Tail {
    const name = `${scope.store}/${scope.listing}`;
    const known = this.#known.get(name);
    if (known !== undefined && isDeepStrictEqual(known.state, state)) return known.tail;
    const goesOn =
      known?.state.changes === state.changes &&
      known.state.next <= state.next &&
      tailStart(known.state) <= tailStart(state);
    const rows: TailRow[] = [];
    for (let number = goesOn ? known.state.next : tailStart(state); number < state.next; number++) {
      const bytes = this.#tables.listings.getBinary(rowKey(scope, number));
      if (bytes !== undefined) rows.push({ ...readRow(bytes, searched), number, bytes });
    }
    const tail = goesOn ? known.tail.next(state, rows) : new Tail(scope, state, rows);
    this.#known.set(name, { state, tail });
    return tail;
  }
}
