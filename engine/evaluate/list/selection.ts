/** Most lists are short: clearing room for a whole page takes longer than finding them. */
const FIRST = 64;

/** The smallest ids above a bound, from many sources: sorted, distinct, at most `limit` of them. */
export class Selection {
  readonly #after: number;
  readonly #limit: number;
  readonly #capacity: number;
  #ids: Float64Array;
  #count = 0;
  /** Ids from here on cannot be among the smallest any more. */
  #ceiling = Number.POSITIVE_INFINITY;

  /** Ids must be above `after`, which may be -1. */
  constructor(after: number, limit: number) {
    this.#after = after;
    this.#limit = limit;
    this.#capacity = Math.max(1024, Math.min(limit * 4, limit + 65_536));
    this.#ids = new Float64Array(Math.min(FIRST, this.#capacity));
  }

  /** The first id worth offering, for sources that can seek. */
  get from(): number {
    return this.#after + 1;
  }

  /** False: this source, being sorted, has nothing further to offer. */
  offer(id: number): boolean {
    if (id <= this.#after) return true;
    if (this.#count === this.#ids.length) this.#makeRoom();
    if (id >= this.#ceiling) return false;
    this.#ids[this.#count++] = id;
    return true;
  }

  take(): Float64Array {
    this.#prune();
    return this.#ids.subarray(0, this.#count);
  }

  #makeRoom(): void {
    if (this.#ids.length === this.#capacity) return this.#prune();
    const ids = new Float64Array(Math.min(this.#ids.length * 8, this.#capacity));
    ids.set(this.#ids);
    this.#ids = ids;
  }

  #prune(): void {
    const ids = this.#ids.subarray(0, this.#count).sort();
    let kept = 0;
    for (let i = 0; i < ids.length && kept < this.#limit; i++) {
      const id = ids[i] as number;
      if (kept === 0 || id !== ids[kept - 1]) ids[kept++] = id;
    }
    this.#count = kept;
    if (kept === this.#limit) this.#ceiling = ids[kept - 1] as number;
  }
}
