const SLOT_BYTES = 64;
const SLOT_WORDS = SLOT_BYTES / 4;
/** A slot is `[state][hash][store][node][length][name, four characters a word]`. */
const HASH = 1;
const STORE = 2;
const NODE = 3;
const LENGTH = 4;
const NAME = 5;
const NAME_LENGTH_MAX = (SLOT_WORDS - NAME) * 4;
const PROBES_MAX = 16;
const FREE = 0;
const CLAIMED = 1;
const READY = 2;
/** Names that found no slot are remembered by each thread, in two generations of this many. */
const OVERFLOW_MAX = 32_768;

/**
 * Names and their node ids, in memory that all threads share: one cache line a name, open addressing, no locks.
 *
 * A (store, name) pair keeps its id for ever, so an entry, once published, is never changed or removed, and a reader
 * that sees READY sees the whole entry. The cost of that is that a full neighbourhood takes no further names; those go
 * to a small table of each thread. Names over 44 bytes or with a character outside ASCII are not kept in the shared
 * part. Only committed ids may be added: a rolled back one would be given out again for another name.
 */
export class NameTable {
  readonly shared: SharedArrayBuffer;
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** The name last hashed, as it would stand in a slot. */
  readonly #packed = new Int32Array(SLOT_WORDS - NAME);
  #words = 0;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  /** `shared` comes from `NameTable.allocate` in the thread that started the others. */
  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.#slots = new Int32Array(shared);
    this.#mask = shared.byteLength / SLOT_BYTES - 1;
  }

  /** `bytes` is rounded down to a power of two of slots. */
  static allocate(bytes: number): SharedArrayBuffer {
    const slots = 2 ** Math.floor(Math.log2(Math.max(bytes, 64 * SLOT_BYTES) / SLOT_BYTES));
    return new SharedArrayBuffer(slots * SLOT_BYTES);
  }

  /** The node id of a name, or 0 where this table does not know it (the store may). */
  get(store: number, name: string): number {
    const hash = this.#pack(store, name);
    if (hash === 0) return this.#overflowed(store, name);
    const slots = this.#slots;
    const packed = this.#packed;
    const words = this.#words;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = ((hash + probe) & this.#mask) * SLOT_WORDS;
      const state = Atomics.load(slots, slot);
      if (state === FREE) return 0;
      if (state !== READY || slots[slot + HASH] !== hash || slots[slot + STORE] !== store) continue;
      if (slots[slot + LENGTH] !== name.length) continue;
      let same = 0;
      while (same < words && slots[slot + NAME + same] === packed[same]) same++;
      if (same === words) return (slots[slot + NODE] as number) >>> 0;
    }
    return this.#overflowed(store, name);
  }

  add(store: number, name: string, node: number): void {
    const hash = this.#pack(store, name);
    if (hash === 0) return this.#remember(`${store}/${name}`, node);
    const slots = this.#slots;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = ((hash + probe) & this.#mask) * SLOT_WORDS;
      if (Atomics.compareExchange(slots, slot, FREE, CLAIMED) !== FREE) continue;
      slots[slot + HASH] = hash;
      slots[slot + STORE] = store;
      slots[slot + NODE] = node;
      slots[slot + LENGTH] = name.length;
      for (let i = 0; i < this.#words; i++) slots[slot + NAME + i] = this.#packed[i] as number;
      Atomics.store(slots, slot, READY);
      return;
    }
    this.#remember(`${store}/${name}`, node);
  }

  /**
   * Puts a name into `#packed` and answers its hash: 32 bits, never 0. 0 says that the name does not fit a slot.
   * Hashing and comparing go four characters at a time, which halves the cost of a lookup.
   */
  #pack(store: number, name: string): number {
    const { length } = name;
    if (length > NAME_LENGTH_MAX) return 0;
    const packed = this.#packed;
    let hash = store ^ 0x811c9dc5 ^ length;
    let words = 0;
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      const a = name.charCodeAt(at);
      const b = name.charCodeAt(at + 1);
      const c = name.charCodeAt(at + 2);
      const d = name.charCodeAt(at + 3);
      if ((a | b | c | d) > 0x7f) return 0;
      const word = a | (b << 8) | (c << 16) | (d << 24);
      packed[words++] = word;
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let last = 0;
    for (let shift = 0; at < length; at++, shift += 8) {
      const code = name.charCodeAt(at);
      if (code > 0x7f) return 0;
      last |= code << shift;
    }
    if ((length & 3) !== 0) packed[words++] = last;
    this.#words = words;
    hash = Math.imul(hash ^ last, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash ^= hash >>> 16;
    return hash === 0 ? 1 : hash;
  }

  #overflowed(store: number, name: string): number {
    if (this.#recent.size === 0 && this.#older.size === 0) return 0;
    const key = `${store}/${name}`;
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older === undefined) return 0;
    this.#remember(key, older);
    return older;
  }

  #remember(key: string, node: number): void {
    if (this.#recent.size >= OVERFLOW_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, node);
  }
}
