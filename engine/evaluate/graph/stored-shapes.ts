import { BoundedMap } from '../../bounded-map.ts';
import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { QUALIFIED } from '../../store/edge-key.ts';
import type { Tables } from '../../store/environment.ts';
import { readShapes } from '../../store/shapes.ts';

/** As they are estimated. */
const BYTES_MAX = 16 * 2 ** 20;
const STORE_BYTES = 150;
const SHAPE_BYTES = 24;
/** Different sets that stores share. */
const ALIKE_MAX = 1_024;
const NO_STORE = -1;

/**
 * The shapes of which a store may hold a tuple: all that it holds, and some whose last tuple was deleted. Other shapes
 * need not be looked for: most of those with a condition or an expiry.
 */
export class StoredShapes {
  readonly #tables: Tables;
  readonly #stores = new SecondChanceCache<number, ReadonlySet<number>>(BYTES_MAX);
  /** By all that they hold: stores whose models are alike have the same shapes, whatever their types are called. */
  readonly #alike = new BoundedMap<string, ReadonlySet<number>>(ALIKE_MAX);
  /** Those of the store that was last asked about, as one question asks many times. */
  #lastStore = NO_STORE;
  #last: ReadonlySet<number> = new Set();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** `kinds` is `object kind << 16 | subject kind`, with the qualified bit where such tuples are meant. */
  has(store: number, kinds: number): boolean {
    return (store === this.#lastStore ? this.#last : this.#of(store)).has(kinds);
  }

  /** Whether no tuple of the store has a condition or an expiry: time alone changes nothing then. */
  arePlain(store: number): boolean {
    for (const kinds of this.#of(store)) if ((kinds & QUALIFIED) !== 0) return false;
    return true;
  }

  /** A commit wrote a tuple of this shape. */
  add(store: number, kinds: number): void {
    const known = this.#stores.peek(store);
    if (known === undefined) {
      // the cache may have let go of it
      if (store === this.#lastStore) this.#lastStore = NO_STORE;
    } else if (!known.has(kinds | 0)) this.#keep(store, [...known, kinds | 0]);
  }

  forget(store: number): void {
    this.#stores.delete(store);
    if (store === this.#lastStore) this.#lastStore = NO_STORE;
  }

  clear(): void {
    this.#stores.clear();
    this.#lastStore = NO_STORE;
  }

  #of(store: number): ReadonlySet<number> {
    this.#last = this.#stores.get(store) ?? this.#read(store);
    this.#lastStore = store;
    return this.#last;
  }

  #read(store: number): ReadonlySet<number> {
    const kinds = new Set(readShapes(this.#tables, store).map((shape) => shape.kinds | 0));
    return this.#keep(store, [...kinds]);
  }

  /** Many stores may share one set, so that no set is ever changed. */
  #keep(store: number, kinds: number[]): ReadonlySet<number> {
    const key = kinds.sort((one, other) => one - other).join();
    let shapes = this.#alike.get(key);
    if (shapes === undefined) {
      shapes = new Set(kinds);
      this.#alike.set(key, shapes);
    }
    this.#stores.set(store, shapes, STORE_BYTES + shapes.size * SHAPE_BYTES);
    if (store === this.#lastStore) this.#last = shapes;
    return shapes;
  }
}
