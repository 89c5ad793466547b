const SLOT_BYTES = 64;
const SLOT_WORDS = SLOT_BYTES / 4;
const NAME_BYTES_MAX = 44;
const PROBES_MAX = 8;
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
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #mask: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  /** `shared` comes from `NameTable.allocate` in the thread that started the others. */
  constructor(shared: SharedArrayBuffer) {
    this.shared = shared;
    this.#words = new Int32Array(shared);
    this.#bytes = new Uint8Array(shared);
    this.#mask = shared.byteLength / SLOT_BYTES - 1;
  }

  /** `bytes` is rounded down to a power of two of slots. */
  static allocate(bytes: number): SharedArrayBuffer {
    const slots = 2 ** Math.floor(Math.log2(Math.max(bytes, 64 * SLOT_BYTES) / SLOT_BYTES));
    return new SharedArrayBuffer(slots * SLOT_BYTES);
  }

  /** The node id of a name, or 0 where this table does not know it (the store may). */
  get(store: number, name: string): number {
    const hash = hashOf(store, name);
    if (hash !== 0) {
      const words = this.#words;
      for (let probe = 0; probe < PROBES_MAX; probe++) {
        const slot = ((hash + probe) & this.#mask) * SLOT_WORDS;
        const state = Atomics.load(words, slot);
        if (state === FREE) break;
        if (state === READY && words[slot + 1] === hash && words[slot + 2] === store && this.#same(slot, name)) {
          return (words[slot + 3] as number) >>> 0;
        }
      }
    }
    return this.#overflowed(store, name);
  }

  add(store: number, name: string, node: number): void {
    const hash = hashOf(store, name);
    if (hash === 0) return this.#remember(`${store}/${name}`, node);
    const words = this.#words;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = ((hash + probe) & this.#mask) * SLOT_WORDS;
      if (Atomics.compareExchange(words, slot, FREE, CLAIMED) !== FREE) continue;
      words[slot + 1] = hash;
      words[slot + 2] = store;
      words[slot + 3] = node;
      const start = slot * 4 + 16;
      this.#bytes[start] = name.length;
      for (let i = 0; i < name.length; i++) this.#bytes[start + 1 + i] = name.charCodeAt(i);
      Atomics.store(words, slot, READY);
      return;
    }
    this.#remember(`${store}/${name}`, node);
  }

  #same(slot: number, name: string): boolean {
    const bytes = this.#bytes;
    const start = slot * 4 + 16;
    if (bytes[start] !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (bytes[start + 1 + i] !== name.charCodeAt(i)) return false;
    return true;
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

/** 32 bits, never 0; 0 says that the name does not fit a slot. */
function hashOf(store: number, name: string): number {
  const length = name.length;
  if (length >= NAME_BYTES_MAX) return 0;
  let hash = store ^ 0x811c9dc5;
  for (let i = 0; i < length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0x7f) return 0;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash === 0 ? 1 : hash;
}
