const SLOT_WORDS = 4;
const BLOCK_WORDS_AVERAGE = 8;
const TOMBSTONE = -1;

/** Says that a list is too long to be kept: it is probed in the store instead. Stands where its length would. */
export const TOO_LONG = -1;

/**
 * Adjacency lists in two typed arrays: an open-addressing table of (store, node, tag) -> place, and the lists, one
 * behind another. Nothing in it is seen by the garbage collector. It only ever fills; `BlockCache` turns it over.
 */
export class Arena {
  readonly data: Int32Array;
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #entriesMax: number;
  #entries = 0;
  #used = 1;

  constructor(bytes: number) {
    const slots = 2 ** Math.max(8, Math.floor(Math.log2(bytes / (SLOT_WORDS * 4 * 2))));
    this.#slots = new Int32Array(slots * SLOT_WORDS);
    this.#mask = slots - 1;
    this.#entriesMax = Math.floor(slots * 0.7);
    this.data = new Int32Array(Math.max(4096, Math.min(slots * BLOCK_WORDS_AVERAGE, Math.floor(bytes / 8))));
  }

  /** Is there room for one more list of so many words? */
  hasRoom(words: number): boolean {
    return this.#entries < this.#entriesMax && this.#used + words <= this.data.length;
  }

  /** The place of a list in `data`, or 0. */
  find(store: number, node: number, tag: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      const place = slots[slot + 3] as number;
      if (place === 0) return 0;
      if (slots[slot + 1] === (node | 0) && slots[slot + 2] === tag && slots[slot] === store) {
        return place === TOMBSTONE ? 0 : place;
      }
    }
  }

  /** Copies `words` of `source` in. The caller has asked `hasRoom`. */
  add(store: number, node: number, tag: number, source: Int32Array, from: number, words: number): number {
    const place = this.#used;
    if (words > 16) this.data.set(source.subarray(from, from + words), place);
    else for (let i = 0; i < words; i++) this.data[place + i] = source[from + i] as number;
    this.#used += words;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      const taken = slots[slot + 3] as number;
      const same = slots[slot + 1] === (node | 0) && slots[slot + 2] === tag && slots[slot] === store;
      if (taken !== 0 && !same) continue;
      if (taken === 0) this.#entries++;
      slots[slot] = store;
      slots[slot + 1] = node;
      slots[slot + 2] = tag;
      slots[slot + 3] = place;
      return place;
    }
  }

  remove(store: number, node: number, tag: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      if (slots[slot + 3] === 0) return;
      if (slots[slot + 1] === (node | 0) && slots[slot + 2] === tag && slots[slot] === store) {
        slots[slot + 3] = TOMBSTONE;
        return;
      }
    }
  }
}

function hash(store: number, node: number, tag: number): number {
  let h = Math.imul(node ^ Math.imul(tag, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(store, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
