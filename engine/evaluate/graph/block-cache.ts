import { Arena, TOO_LONG } from './arena.ts';

/**
 * A bounded cache of adjacency lists for one thread: two arenas, of which the newer takes what is added and what is
 * found in the older. When the newer is full the older is dropped whole. That costs a second arena's memory and gives
 * an eviction that needs no bookkeeping on a hit.
 *
 * A turned-over arena is replaced, never overwritten, so that a walk that holds `data` of an earlier lookup may read on.
 */
export class BlockCache {
  readonly #arenaBytes: number;
  #newer: Arena;
  #older: Arena | undefined;
  hits = 0;
  misses = 0;

  constructor(bytes: number) {
    this.#arenaBytes = Math.floor(bytes / 2);
    this.#newer = new Arena(this.#arenaBytes);
  }

  /** The array that the last place returned points into. */
  get data(): Int32Array {
    return this.#newer.data;
  }

  find(store: number, node: number, tag: number): number {
    const place = this.#newer.find(store, node, tag);
    if (place !== 0) {
      this.hits++;
      return place;
    }
    const old = this.#older?.find(store, node, tag) ?? 0;
    if (old === 0 || this.#older === undefined) {
      this.misses++;
      return 0;
    }
    this.hits++;
    const { data } = this.#older;
    const length = data[old] as number;
    return this.add(store, node, tag, data, old, length === TOO_LONG ? 1 : length + 1);
  }

  add(store: number, node: number, tag: number, source: Int32Array, from: number, words: number): number {
    if (!this.#newer.hasRoom(words)) {
      this.#older = this.#newer;
      this.#newer = new Arena(this.#arenaBytes);
    }
    return this.#newer.add(store, node, tag, source, from, words);
  }

  remove(store: number, node: number, tag: number): void {
    this.#newer.remove(store, node, tag);
    this.#older?.remove(store, node, tag);
  }

  clear(): void {
    this.#newer = new Arena(this.#arenaBytes);
    this.#older = undefined;
  }
}
