import type { Tables } from '../../environment.ts';
import { entryKey, type ListingScope } from '../listing-keys.ts';
import type { ListingPosition } from '../row.ts';
import type { EntryRows } from './entry-rows.ts';
import { type OrderEntry, OrderReader } from './read-order.ts';

/** The merged rows in one order: those that have a value, and behind them those that have none, by their ids. */
export class MergedOrder {
  readonly #scope: ListingScope;
  readonly #order: number;
  readonly #valued: OrderReader;
  readonly #nothing: OrderReader | undefined;
  /** How many have a value. */
  readonly #count: number;

  /**
   * @param order 0 for that of ids
   * @param total how many merged rows there are
   */
  constructor(tables: Tables, scope: ListingScope, order: number, total: number) {
    this.#scope = scope;
    this.#order = order;
    this.#valued = new OrderReader(tables, scope, order);
    this.#count = order === 0 ? total : this.#valued.count;
    if (this.#count < total) this.#nothing = new OrderReader(tables, scope, 0, order);
  }

  from(position: number, limit: number): OrderEntry[] {
    const found = position < this.#count ? this.#valued.from(position, limit) : [];
    const rest = this.#nothing?.from(Math.max(0, position - this.#count), limit - found.length) ?? [];
    return [...found, ...rest.map((entry) => this.#behind(entry))];
  }

  /** How many stand before a position, which need not be there. */
  before(position: ListingPosition): number {
    const entry = this.#entryOf(position);
    if (this.#hasValue(position)) return this.#valued.before(entry);
    return this.#count + (this.#nothing?.before(entry) ?? 0);
  }

  /** How many stand before the key of an entry, which has a value. */
  valuedBefore(entry: Buffer): number {
    return this.#valued.before(entry);
  }

  /** The same, as far as it is known without a look at entries. */
  valuedBeforeWithin(entry: Buffer): { readonly least: number; readonly most: number } {
    return this.#valued.beforeWithin(entry);
  }

  has(position: ListingPosition): boolean {
    const part = this.#hasValue(position) ? this.#valued : this.#nothing;
    return part?.has(this.#entryOf(position)) === true;
  }

  /**
   * The rows behind a position, or without one all of them.
   * @param newer those that have a value and are not merged; see `EntryRows`
   */
  *rows(
    entries: EntryRows,
    after: ListingPosition | undefined,
    descending: boolean,
    newer: readonly OrderEntry[],
  ): Generator<readonly number[]> {
    const entry = after && this.#entryOf(after);
    const isAmongValued = after === undefined || this.#hasValue(after);
    const valued = this.#valued.rows(entries, isAmongValued ? entry : undefined, descending, newer);
    const nothing = this.#nothing?.rows(entries, isAmongValued ? undefined : entry, descending) ?? [];
    if (descending) {
      if (after === undefined || !isAmongValued) yield* nothing;
      yield* valued;
    } else {
      if (isAmongValued) yield* valued;
      yield* nothing;
    }
  }

  /** One without a value, which stands behind all that have one. */
  #behind({ id, row }: OrderEntry): OrderEntry {
    return { id, row, key: entryKey(this.#scope, this.#order, null, id) };
  }

  #hasValue({ key }: ListingPosition): boolean {
    return this.#order === 0 || key !== null;
  }

  #entryOf(position: ListingPosition): Buffer {
    const isValued = this.#order !== 0 && position.key !== null;
    return entryKey(this.#scope, isValued ? this.#order : 0, isValued ? position.key : undefined, position.id);
  }
}
