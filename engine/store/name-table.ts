import { OwnNames } from './names/own-names.ts';
import { NAME_WORDS, packText } from './names/pack-name.ts';

const SLOT_BYTES = 64;
const SLOT_WORDS = SLOT_BYTES / 4;
/** A slot is `[state][hash][store][node][name, four characters a word]`; the state of a name tells its length. */
const HASH = 1;
const STORE = 2;
const NODE = 3;
const NAME = SLOT_WORDS - NAME_WORDS;
const PROBES_MAX = 16;
/** The table's header is a slot too: the level in use, and how many names it took. */
const HEADER_SLOTS = 1;
const LEVEL = 0;
const TAKEN = 1;
/** How many times as large as the first one each level is. */
const LEVEL_SIZES = [1, 2, 4, 16] as const;
const LAST_LEVEL = LEVEL_SIZES.length - 1;
const LOAD_MAX = 0.6;
/** The share of that load for names that nobody has asked for. */
const OFFERED_SHARE = 0.8;
const FREE = 0;
const CLAIMED = 1;
/** And the length above it. */
const READY = 2;
/** Names that fit no slot are remembered by each thread, in two generations of this many. */
const OVERFLOW_MAX = 32_768;

interface Level {
  /** Its first slot. */
  readonly base: number;
  readonly mask: number;
}

/**
 * Names and their node ids, in memory that all threads share: one cache line a name, open addressing, no locks.
 *
 * A (store, name) pair keeps its id for ever, so an entry, once published, is never changed or removed, and a reader
 * that sees it READY sees the whole entry. Only committed ids may be added: a rolled back one would be given out again
 * for another name.
 *
 * There are four levels, each larger than the one before. New names go to the level in use, and names found in a lower
 * one are copied up; when it is full enough the next comes into use. Memory that no name has touched costs nothing, and
 * a store with few names keeps them on few pages. What finds no slot in the last level goes to a table of each thread,
 * and what is over 48 characters or not ASCII to a map of each thread.
 */
export class NameTable {
  readonly shared: SharedArrayBuffer;
  /** All of it. */
  readonly words: Int32Array;
  readonly #levels: readonly Level[];
  /** Two names that were hashed last, as they would stand in a slot. */
  readonly #packed = new Int32Array(2 * NAME_WORDS);
  /** What `getBoth` has found. */
  first = 0;
  second = 0;
  /** Uses the words that are read ahead: an unused read would be optimised away. */
  #read = 0;
  readonly #own = new OwnNames();
  /** By store, so that no key need be put together. */
  #recent = new Map<number, Map<string, number>>();
  #older = new Map<number, Map<string, number>>();
  #recentCount = 0;

  /** `shared` comes from `NameTable.allocate` in the thread that started the others. */
  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.words = new Int32Array(shared);
    this.#levels = levelsOf(shared.byteLength);
  }

  /**
   * At most `bytes`, and at least a few kilobytes. It always begins with the first level: questions may be about a
   * small part of the data, and in a level with room for all each name takes a page.
   */
  static allocate(bytes: number): SharedArrayBuffer {
    const smallest = smallestLevel(bytes);
    let slots = HEADER_SLOTS;
    for (const size of LEVEL_SIZES) slots += smallest * size;
    return new SharedArrayBuffer(slots * SLOT_BYTES);
  }

  /** The node id of a name, or 0 where this table does not know it (the store may). */
  get(store: number, name: string): number {
    return this.lookUp(packText(this.#packed, 0, store, name), store, name, this.#packed, 0);
  }

  /**
   * Finds the nodes of two names, `first` and `second` then, as `get` does. Each waits for memory, and both do so at the
   * same time.
   */
  getBoth(store: number, first: string, second: string): void {
    const hash = packText(this.#packed, 0, store, first);
    const word = this.words[this.placeOf(hash)] as number;
    const other = packText(this.#packed, NAME_WORDS, store, second);
    this.#read ^= word ^ (this.words[this.placeOf(other)] as number);
    this.first = this.lookUp(hash, store, first, this.#packed, 0);
    this.second = this.lookUp(other, store, second, this.#packed, NAME_WORDS);
  }

  /** The first word of `words` that is read when a name of this hash is looked for. */
  placeOf(hash: number): number {
    const { base, mask } = this.#levels[this.words[LEVEL] as number] as Level;
    return (base + (hash & mask)) * SLOT_WORDS;
  }

  /** The node of a packed name, or 0 where the level in use does not have it. */
  nodeOf(hash: number, store: number, packed: Int32Array, from: number, length: number): number {
    return this.#find(this.#levels[this.words[LEVEL] as number] as Level, hash, store, length, packed, from);
  }

  /** The same as `get` for a name that `packText` has put into words, from one on. */
  lookUp(hash: number, store: number, name: string, packed: Int32Array, from: number): number {
    if (hash === 0) return this.#overflowed(store, name);
    // one that has just changed is missed here, and asked of the store
    const inUse = this.words[LEVEL] as number;
    for (let level = inUse; level >= 0; level--) {
      const node = this.#find(this.#levels[level] as Level, hash, store, name.length, packed, from);
      if (node === 0) continue;
      if (level < inUse) this.#insert(inUse, hash, store, name.length, node, packed, from);
      return node;
    }
    return this.#own.get(hash, store, packed, from, name.length);
  }

  add(store: number, name: string, node: number): void {
    const hash = packText(this.#packed, 0, store, name);
    if (hash === 0) this.#remember(store, name, node);
    else if (!this.#insert(Atomics.load(this.words, LEVEL), hash, store, name.length, node, this.#packed, 0)) {
      this.#own.add(hash, store, this.#packed, name.length, node);
    }
  }

  /**
   * Adds a name that nobody has asked for yet.
   * @returns false where the rest of the level in use is kept for names that are asked for: no more may be offered
   */
  offer(store: number, name: string, node: number): boolean {
    const level = Atomics.load(this.words, LEVEL);
    const { mask } = this.#levels[level] as Level;
    if (Atomics.load(this.words, TAKEN) >= (mask + 1) * LOAD_MAX * OFFERED_SHARE) return false;
    if (this.get(store, name) !== 0) return true;
    const hash = packText(this.#packed, 0, store, name);
    if (hash !== 0) this.#insert(level, hash, store, name.length, node, this.#packed, 0);
    return true;
  }

  /** Begins at the level that has room for so many offered names, if that is not in use yet. */
  reserve(names: number): void {
    const enough = this.#levels.findIndex(({ mask }) => names <= (mask + 1) * LOAD_MAX * OFFERED_SHARE);
    const level = enough < 0 ? LAST_LEVEL : enough;
    const inUse = Atomics.load(this.words, LEVEL);
    if (inUse < level && Atomics.compareExchange(this.words, LEVEL, inUse, level) === inUse) {
      Atomics.store(this.words, TAKEN, 0);
    }
  }

  #find({ base, mask }: Level, hash: number, store: number, length: number, packed: Int32Array, from: number): number {
    const slots = this.words;
    const words = (length + 3) >>> 2;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (base + ((hash + probe) & mask)) * SLOT_WORDS;
      // plain reads, which wait for nothing, rule out what is another name; what may be this one is read for certain
      if (slots[slot + HASH] !== hash) {
        if (slots[slot] === FREE) return 0;
        continue;
      }
      if (Atomics.load(slots, slot) !== READY + length || slots[slot + STORE] !== store) continue;
      let same = 0;
      while (same < words && slots[slot + NAME + same] === packed[from + same]) same++;
      if (same === words) return (slots[slot + NODE] as number) >>> 0;
    }
    return 0;
  }

  /** Publishes the packed name in a level; false where its neighbourhood is full. */
  #insert(
    level: number,
    hash: number,
    store: number,
    length: number,
    node: number,
    packed: Int32Array,
    from: number,
  ): boolean {
    const slots = this.words;
    const { base, mask } = this.#levels[level] as Level;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (base + ((hash + probe) & mask)) * SLOT_WORDS;
      // a slot that is taken stays so: in a full neighbourhood a plain load tells so at a fraction of what an exchange costs
      if (slots[slot] !== FREE) continue;
      if (Atomics.compareExchange(slots, slot, FREE, CLAIMED) !== FREE) continue;
      slots[slot + HASH] = hash;
      slots[slot + STORE] = store;
      slots[slot + NODE] = node;
      const words = (length + 3) >>> 2;
      for (let i = 0; i < words; i++) slots[slot + NAME + i] = packed[from + i] as number;
      Atomics.store(slots, slot, READY + length);
      this.#count(level, mask + 1);
      return true;
    }
    return false;
  }

  /** The level that passes its load hands over to the next; one thread's exchange does it. */
  #count(level: number, slots: number): void {
    if (Atomics.add(this.words, TAKEN, 1) < slots * LOAD_MAX || level === LAST_LEVEL) return;
    if (Atomics.compareExchange(this.words, LEVEL, level, level + 1) === level) Atomics.store(this.words, TAKEN, 0);
  }

  #overflowed(store: number, name: string): number {
    if (this.#recent.size === 0 && this.#older.size === 0) return 0;
    const recent = this.#recent.get(store)?.get(name);
    if (recent !== undefined) return recent;
    const older = this.#older.get(store)?.get(name);
    if (older === undefined) return 0;
    this.#remember(store, name, older);
    return older;
  }

  #remember(store: number, name: string, node: number): void {
    if (this.#recentCount >= OVERFLOW_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentCount = 0;
    }
    let names = this.#recent.get(store);
    if (names === undefined) {
      names = new Map();
      this.#recent.set(store, names);
    }
    names.set(name, node);
    this.#recentCount++;
  }
}

function smallestLevel(bytes: number): number {
  const share = bytes / SLOT_BYTES / LEVEL_SIZES.reduce((sum, size) => sum + size, 0);
  return 2 ** Math.max(4, Math.floor(Math.log2(Math.max(share, 1))));
}

function levelsOf(bytes: number): Level[] {
  const smallest = smallestLevel(bytes);
  const levels: Level[] = [];
  let base = HEADER_SLOTS;
  for (const size of LEVEL_SIZES) {
    const slots = smallest * size;
    levels.push({ base, mask: slots - 1 });
    base += slots;
  }
  return levels;
}
