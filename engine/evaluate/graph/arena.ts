import { TOO_LONG } from './packed-list.ts';

const SLOT_WORDS = 16;
/** Where a slot's list begins: behind store, node and tag. */
const LIST_AT = 3;
/** Words of a list, its length not counted, that fit into the slot itself. */
const INLINE_MAX = SLOT_WORDS - LIST_AT - 1;
/** Room behind the slots, in words for each of them: most objects have few tuples. */
const OVERFLOW_WORDS = 6;
const LOAD_MAX = 0.65;
const FREE = 0;
const REMOVED = -1;
const ELSEWHERE = -2;

/**
 * Adjacency lists in one typed array, seen by no garbage collector: an open-addressing table of 64-byte slots
 * `[store][node][tag][words][list...]`, and behind it the lists that do not fit their slot. Most objects have few
 * tuples, so that one cache line holds the key and the list, and a lookup costs one trip to memory instead of two.
 *
 * It only ever fills; `BlockCache` lets it grow and turns it over.
 */
export class Arena {
  readonly data: Int32Array;
  readonly slots: number;
  readonly #overflow: number;
  readonly #mask: number;
  readonly #entriesMax: number;
  #entries = 0;
  #used: number;

  /** `slots` is a power of two, `overflow` the words behind the slots for each of them. */
  constructor(slots: number, overflow = OVERFLOW_WORDS) {
    this.slots = slots;
    this.#overflow = overflow;
    this.#mask = slots - 1;
    this.#entriesMax = Math.floor(slots * LOAD_MAX);
    this.data = new Int32Array(slots * (SLOT_WORDS + overflow));
    this.#used = slots * SLOT_WORDS;
  }

  /** How many slots fit into so many bytes: a power of two. */
  static slotsIn(bytes: number, overflow = OVERFLOW_WORDS): number {
    return 2 ** Math.max(6, Math.floor(Math.log2(bytes / ((SLOT_WORDS + overflow) * 4))));
  }

  /** The longest list that an empty arena of so many slots has room for, in words. */
  static wordsMax(slots: number, overflow = OVERFLOW_WORDS): number {
    return slots * overflow - 1;
  }

  /** Is there room for one more list of so many words? */
  hasRoom(words: number): boolean {
    return this.#entries < this.#entriesMax && (words <= INLINE_MAX || this.#used + words < this.data.length);
  }

  /** Where the list's length stands in `data`, the list behind it; or 0. */
  find(store: number, node: number, tag: number): number {
    const { data } = this;
    const mask = this.#mask;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      const owner = data[slot] as number;
      if (owner === FREE) return 0;
      if (owner !== store || data[slot + 1] !== (node | 0) || data[slot + 2] !== tag) continue;
      return data[slot + LIST_AT] === ELSEWHERE ? (data[slot + LIST_AT + 1] as number) : slot + LIST_AT;
    }
  }

  /** Where in `data` the slot stands in which a list is looked for first. */
  placeOf(store: number, node: number, tag: number): number {
    return (hash(store, node, tag) & this.#mask) * SLOT_WORDS;
  }

  /** Copies a list `[words][...]` in, in place of one with the same key. The caller has asked `hasRoom`. */
  add(store: number, node: number, tag: number, source: Int32Array, from: number): number {
    const { data } = this;
    const slot = this.#claim(store, node, tag);
    data[slot] = store;
    data[slot + 1] = node;
    data[slot + 2] = tag;
    const words = source[from] as number;
    if (words <= INLINE_MAX) {
      for (let i = 0; i <= words; i++) data[slot + LIST_AT + i] = source[from + i] as number;
      if (words === TOO_LONG) data[slot + LIST_AT] = TOO_LONG;
      return slot + LIST_AT;
    }
    const offset = this.#used;
    data.set(source.subarray(from, from + words + 1), offset);
    this.#used += words + 1;
    data[slot + LIST_AT] = ELSEWHERE;
    data[slot + LIST_AT + 1] = offset;
    return offset;
  }

  remove(store: number, node: number, tag: number): void {
    const { data } = this;
    const mask = this.#mask;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      const owner = data[slot] as number;
      if (owner === FREE) return;
      if (owner === store && data[slot + 1] === (node | 0) && data[slot + 2] === tag) {
        // A long list is only known to be too long; what was taken from it may have left it so.
        if (data[slot + LIST_AT] !== TOO_LONG) data[slot] = REMOVED;
        return;
      }
    }
  }

  removeStore(store: number): void {
    const { data } = this;
    for (let slot = 0; slot < this.slots * SLOT_WORDS; slot += SLOT_WORDS) {
      if (data[slot] === store) data[slot] = REMOVED;
    }
  }

  /** An empty one of twice the slots. */
  larger(): Arena {
    return new Arena(this.slots * 2, this.#overflow);
  }

  /** Copies the lists of some slots, from one on, to another arena: those that it has room for and does not have. */
  copyTo(other: Arena, from: number, count: number): void {
    const { data } = this;
    const end = Math.min(from + count, this.slots) * SLOT_WORDS;
    for (let slot = from * SLOT_WORDS; slot < end; slot += SLOT_WORDS) {
      const store = data[slot] as number;
      if (store === FREE || store === REMOVED) continue;
      const node = data[slot + 1] as number;
      const tag = data[slot + 2] as number;
      const at = data[slot + LIST_AT] === ELSEWHERE ? (data[slot + LIST_AT + 1] as number) : slot + LIST_AT;
      if (other.hasRoom(data[at] as number) && other.find(store, node, tag) === 0)
        other.add(store, node, tag, data, at);
    }
  }

  #claim(store: number, node: number, tag: number): number {
    const { data } = this;
    const mask = this.#mask;
    let removed = -1;
    for (let at = hash(store, node, tag) & mask; ; at = (at + 1) & mask) {
      const slot = at * SLOT_WORDS;
      const owner = data[slot] as number;
      if (owner === FREE) {
        if (removed >= 0) return removed;
        this.#entries++;
        return slot;
      }
      if (owner === REMOVED && removed < 0) removed = slot;
      if (owner === store && data[slot + 1] === (node | 0) && data[slot + 2] === tag) return slot;
    }
  }
}

function hash(store: number, node: number, tag: number): number {
  let h = Math.imul(node ^ Math.imul(tag, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(store, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
