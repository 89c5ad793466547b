const STORES_MAX = 65_536;

/** When the tuples, suspensions and models of each store were last changed, as far as this thread has followed. */
export class TouchedStores {
  readonly #stores = new Map<number, number>();
  /** Of stores that are not in the map: none of them was touched after it. */
  #others = Number.POSITIVE_INFINITY;

  /** A revision after which no commit touched the store; infinity while no commit was followed at all. */
  at(store: number): number {
    return this.#stores.get(store) ?? this.#others;
  }

  /** Commits after this revision are followed one by one. */
  begin(revision: number): void {
    this.#others = Math.min(this.#others, revision);
  }

  touch(store: number, revision: number): void {
    if (this.#stores.size >= STORES_MAX && !this.#stores.has(store)) this.touchAll(revision);
    this.#stores.set(store, revision);
  }

  touchAll(revision: number): void {
    this.#stores.clear();
    this.#others = revision;
  }
}
