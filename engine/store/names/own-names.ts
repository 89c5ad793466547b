/** `[store][node][length][name, four characters a word]`. */
const SLOT_WORDS = 16;
const NODE = 1;
const LENGTH = 2;
const NAME = 3;
/** Memory that no name has touched costs nothing. */
const SLOTS = 65_536;
/** The slots of a set: a name stands in one of these, from the first of its hash on. */
const WAYS = 4;
const NONE = new Int32Array(0);

/**
 * The names of one thread that found no slot in the table of all threads: a cache of a fixed size in one typed array,
 * set-associative, so that what is remembered makes no work for the garbage collector. A new name replaces another
 * one where the slots of its set are taken.
 */
export class OwnNames {
  /** Of each slot, 0 where it is free: most names that are looked for are not there, and these words tell so alone. */
  #hashes = NONE;
  #slots = NONE;

  /** The node id of a name whose words are in `packed` from one on, or 0. */
  get(hash: number, store: number, packed: Int32Array, from: number, length: number): number {
    const slots = this.#slots;
    if (slots === NONE) return 0;
    const words = wordsOf(length);
    const first = firstSlot(hash);
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#hashes[slot] !== hash) continue;
      const at = slot * SLOT_WORDS;
      if (slots[at] !== store || slots[at + LENGTH] !== length) continue;
      let same = 0;
      while (same < words && slots[at + NAME + same] === packed[from + same]) same++;
      if (same === words) return (slots[at + NODE] as number) >>> 0;
    }
    return 0;
  }

  /** To be called for a name that is not there, whose words are in `packed`. */
  add(hash: number, store: number, packed: Int32Array, length: number, node: number): void {
    if (this.#slots === NONE) {
      this.#slots = new Int32Array(SLOTS * SLOT_WORDS);
      this.#hashes = new Int32Array(SLOTS);
    }
    const slots = this.#slots;
    const first = firstSlot(hash);
    // bits that do not choose the set
    let slot = first + ((hash >>> 16) % WAYS);
    for (let each = first; each < first + WAYS; each++) {
      if (this.#hashes[each] !== 0) continue;
      slot = each;
      break;
    }
    this.#hashes[slot] = hash;
    const at = slot * SLOT_WORDS;
    slots[at] = store;
    slots[at + NODE] = node;
    slots[at + LENGTH] = length;
    const words = wordsOf(length);
    for (let i = 0; i < words; i++) slots[at + NAME + i] = packed[i] as number;
  }
}

/** Sets do not overlap, so that a look-up never passes the end of the table. */
function firstSlot(hash: number): number {
  return (hash & (SLOTS / WAYS - 1)) * WAYS;
}

function wordsOf(length: number): number {
  return (length + 3) >>> 2;
}
