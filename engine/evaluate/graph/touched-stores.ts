import { ownerOf, SHARED, storesOf } from '../../store/change-log.ts';

/** Stores by number, of which each takes eight bytes: numbers are given one after the other. */
const NUMBERS_MAX = 2 ** 20;
const NUMBERS_MIN = 1_024;

/**
 * When each store was last changed, as far as this thread has followed. One array by number: nearly all of it stays in
 * the processor's cache, whichever stores are asked about.
 */
class TouchedStores {
  /** By store: the last revision that touched it; 0 where none is known. */
  #revisions = new Float64Array(NUMBERS_MIN);
  /** No store with a 0 was touched after this revision. */
  #others = Number.POSITIVE_INFINITY;

  /** A revision after which no commit touched the store; infinity while no commit was followed at all. */
  at(store: number): number {
    const revision = store < this.#revisions.length ? (this.#revisions[store] as number) : 0;
    return revision === 0 ? this.#others : revision;
  }

  /** Commits after this revision are followed one by one. */
  begin(revision: number): void {
    this.#others = Math.min(this.#others, revision);
  }

  touch(store: number, revision: number): void {
    if (store >= NUMBERS_MAX) return this.touchAll(revision);
    if (store >= this.#revisions.length) this.#grow(store);
    this.#revisions[store] = revision;
  }

  /** Every store that a commit touched in any way. */
  touchBy(commit: Buffer, revision: number): void {
    const owner = ownerOf(commit);
    if (owner !== SHARED) return this.touch(owner, revision);
    for (const store of storesOf(commit)) {
      if (store === SHARED) this.touchAll(revision);
      else this.touch(store, revision);
    }
  }

  touchAll(revision: number): void {
    this.#revisions.fill(0);
    this.#others = revision;
  }

  #grow(store: number): void {
    const grown = new Float64Array(Math.min(NUMBERS_MAX, Math.max(store + 1, this.#revisions.length * 2)));
    grown.set(this.#revisions);
    this.#revisions = grown;
  }
}

/** When each store was last changed. */
export class Touches {
  /** Its tuples, suspensions and models. */
  readonly tuples = new TouchedStores();
  /** Whatever it has, records among it. */
  readonly all = new TouchedStores();

  /** Commits after this revision are followed one by one. */
  begin(revision: number): void {
    this.tuples.begin(revision);
    this.all.begin(revision);
  }

  /** What was touched before this revision is not known. */
  forget(revision: number): void {
    this.tuples.touchAll(revision);
    this.all.touchAll(revision);
  }
}
