import { allHeads } from '../../store/catalog.ts';
import type { Tables } from '../../store/environment.ts';
import { u32Key } from '../../store/layout.ts';
import type { NameTable } from '../../store/name-table.ts';

/** A store with fewer names is soon known by what is asked of it. */
const STORE_NAMES_MIN = 10_000;
const NAME_AT = 4;
/** Behind a key, the first one that sorts after it. */
const NEXT = Buffer.from([0]);

/**
 * Puts the names of large stores into the table that all threads share before anybody asks for them, step by step: a
 * question then finds its names without looking them up in the store, which takes longer than a direct check does.
 */
export class NameLoader {
  readonly #tables: Tables;
  readonly #names: NameTable;
  /** Store numbers that are yet to be loaded; the one that is being loaded is the last. */
  #stores: number[] | undefined;
  #from: Buffer | undefined;
  #left: number;

  /** @param most names in all: each takes 64 bytes, and half a microsecond or two */
  constructor(tables: Tables, names: NameTable, most: number) {
    this.#tables = tables;
    this.#names = names;
    this.#left = most;
  }

  /** Loads up to `limit` names; to be called inside the snapshot. Answers whether there may be more to do. */
  step(limit: number): boolean {
    this.#stores ??= this.#begin();
    const store = this.#stores.at(-1);
    if (store === undefined || this.#left <= 0) return false;
    const most = Math.min(limit, this.#left);
    const range = { start: this.#from ?? u32Key(store), end: u32Key(store + 1), limit: most };
    let count = 0;
    for (const { key, value } of this.#tables.names.getRange(range)) {
      if (!this.#names.offer(store, key.toString('utf8', NAME_AT, key.length), value.readUInt32BE(0))) return false;
      if (++count === most) this.#from = Buffer.concat([key, NEXT]);
    }
    this.#left -= count;
    if (count < most) {
      this.#stores.pop();
      this.#from = undefined;
    }
    return this.#left > 0 && this.#stores.length > 0;
  }

  /** The large stores, the smallest ones first, so that they come last; the table gets room for them. */
  #begin(): number[] {
    const large = allHeads(this.#tables)
      .filter(({ nextNode, deletedAt }) => nextNode > STORE_NAMES_MIN && deletedAt === undefined)
      .sort((one, other) => one.nextNode - other.nextNode);
    const names = large.reduce((sum, { nextNode }) => sum + nextNode, 0);
    if (names > 0) this.#names.reserve(Math.min(names, this.#left));
    return large.map(({ number }) => number);
  }
}
