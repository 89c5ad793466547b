import { Arena } from './arena.ts';

const START_SLOTS = 1024;
/** Slots that are copied with each list that is added. What the larger arena has no room for is dropped. */
const COPIED_SLOTS = 4;

/**
 * A bounded cache of adjacency lists for one thread: two arenas, of which the newer takes what is added and what is
 * found in the older. The newer grows up to its half of the bound; when it is full there, the older is dropped whole.
 * That costs a second arena's memory and gives an eviction that needs no bookkeeping on a hit. While the newer grows, the
 * older is the one that it has grown out of: a few of its lists are copied with each list that is added, so that no check
 * waits for all of them.
 *
 * An arena is replaced, never overwritten, so that a walk that holds `data` of an earlier lookup may read on.
 */
export class BlockCache {
  readonly #slotsMax: number;
  readonly #overflow: number | undefined;
  #newer: Arena;
  #older: Arena | undefined;
  /** The next slot of the older to be copied; undefined where it is as large as the newer. */
  #uncopied: number | undefined;
  /** Uses what `touch` reads: an unused read would be optimised away. */
  #read = 0;
  hits = 0;
  misses = 0;

  /** `overflow` is for lists of another length than those of tuples: see `Arena`. */
  constructor(bytes: number, overflow?: number) {
    this.#overflow = overflow;
    this.#slotsMax = Arena.slotsIn(bytes / 2, overflow);
    this.#newer = this.#arena(START_SLOTS);
  }

  /** A list of more words than this cannot be kept at all. */
  get wordsMax(): number {
    return Arena.wordsMax(this.#slotsMax, this.#overflow);
  }

  /** The array that the last offset returned points into. */
  get data(): Int32Array {
    return this.#newer.data;
  }

  find(store: number, node: number, tag: number): number {
    const offset = this.#newer.find(store, node, tag);
    if (offset !== 0) {
      this.hits++;
      return offset;
    }
    const old = this.#older?.find(store, node, tag) ?? 0;
    if (old === 0 || this.#older === undefined) {
      this.misses++;
      return 0;
    }
    this.hits++;
    return this.add(store, node, tag, this.#older.data, old);
  }

  /** Reads where a list is looked for first, so that its memory is on the way when it is asked for. */
  touch(store: number, node: number, tag: number): void {
    this.#read ^= this.data[this.placeOf(store, node, tag)] as number;
  }

  /** The first word of `data` that is read when a list is looked for. */
  placeOf(store: number, node: number, tag: number): number {
    return this.#newer.placeOf(store, node, tag);
  }

  /** The first node that a list names, or 0 where the list is empty or not at hand. It does not count as a look-up. */
  firstNamed(store: number, node: number, tag: number): number {
    const at = this.#newer.find(store, node, tag);
    // `[words][kinds][how many][node]...`
    return at === 0 || (this.data[at] as number) < 3 ? 0 : (this.data[at + 3] as number);
  }

  /** Takes in a list `[words][...]` of at most `wordsMax` that begins at `from`. */
  add(store: number, node: number, tag: number, source: Int32Array, from: number): number {
    if (this.#uncopied !== undefined) this.#copySome(this.#uncopied);
    while (!this.#newer.hasRoom(source[from] as number)) {
      this.#older = this.#newer;
      const isGrowing = this.#newer.slots < this.#slotsMax;
      this.#newer = isGrowing ? this.#newer.larger() : this.#arena(this.#slotsMax);
      this.#uncopied = isGrowing ? 0 : undefined;
    }
    return this.#newer.add(store, node, tag, source, from);
  }

  remove(store: number, node: number, tag: number): void {
    this.#newer.remove(store, node, tag);
    this.#older?.remove(store, node, tag);
  }

  /** Looks at every slot. */
  removeStore(store: number): void {
    this.#newer.removeStore(store);
    this.#older?.removeStore(store);
  }

  clear(): void {
    this.#newer = this.#arena(START_SLOTS);
    this.#older = this.#uncopied = undefined;
  }

  #copySome(from: number): void {
    const older = this.#older as Arena; // there is one as long as it is copied
    older.copyTo(this.#newer, from, COPIED_SLOTS);
    const next = from + COPIED_SLOTS;
    if (next < older.slots) this.#uncopied = next;
    else this.#older = this.#uncopied = undefined;
  }

  #arena(slots: number): Arena {
    return new Arena(Math.min(slots, this.#slotsMax), this.#overflow);
  }
}
