const WORDS = 4;
const START_SLOTS = 256;

/** The word of a slot that belongs to whoever claimed it, behind the key. */
export const VALUE = 3;

/**
 * What an evaluation has found out about (node, kind) pairs: open addressing over one typed array of slots
 * `[stamp][node][kind][value]`, emptied by counting up the stamp, so that the map of one decision costs the next
 * nothing. `words` moves when it grows: keep slots only until the next `claim`.
 */
export class NodeMap {
  words = new Int32Array(START_SLOTS * WORDS);
  #mask = START_SLOTS - 1;
  #size = 0;
  #stamp = 1;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
    if (this.#mask >= 1 << 16) {
      this.words = new Int32Array(START_SLOTS * WORDS);
      this.#mask = START_SLOTS - 1;
      this.#stamp = 1;
      return;
    }
    this.#stamp++;
    if (this.#stamp === 0x7fffffff) {
      this.words.fill(0);
      this.#stamp = 1;
    }
  }

  /** The slot of a pair, or -1. */
  find(node: number, kind: number): number {
    const { words } = this;
    const mask = this.#mask;
    for (let at = hash(node, kind) & mask; ; at = (at + 1) & mask) {
      const slot = at * WORDS;
      if (words[slot] !== this.#stamp) return -1;
      if (words[slot + 1] === (node | 0) && words[slot + 2] === kind) return slot;
    }
  }

  /** The slot of a pair, new with `VALUE` 0 where it was not there. */
  claim(node: number, kind: number): number {
    if (this.#size * 2 > this.#mask) this.#grow();
    const { words } = this;
    const mask = this.#mask;
    for (let at = hash(node, kind) & mask; ; at = (at + 1) & mask) {
      const slot = at * WORDS;
      if (words[slot] === this.#stamp) {
        if (words[slot + 1] === (node | 0) && words[slot + 2] === kind) return slot;
        continue;
      }
      words[slot] = this.#stamp;
      words[slot + 1] = node;
      words[slot + 2] = kind;
      words[slot + VALUE] = 0;
      this.#size++;
      return slot;
    }
  }

  forEach(visit: (node: number, kind: number) => void): void {
    const { words } = this;
    for (let slot = 0; slot < words.length; slot += WORDS) {
      if (words[slot] === this.#stamp) visit((words[slot + 1] as number) >>> 0, words[slot + 2] as number);
    }
  }

  #grow(): void {
    const old = this.words;
    const stamp = this.#stamp;
    this.#mask = this.#mask * 2 + 1;
    this.words = new Int32Array((this.#mask + 1) * WORDS);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from] !== stamp) continue;
      let at = hash(old[from + 1] as number, old[from + 2] as number) & this.#mask;
      while (this.words[at * WORDS] === stamp) at = (at + 1) & this.#mask;
      for (let i = 0; i < WORDS; i++) this.words[at * WORDS + i] = old[from + i] as number;
    }
  }
}

function hash(node: number, kind: number): number {
  let h = Math.imul(node ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 15;
  return Math.imul(h, 0x2c1b3c6d) >>> 0;
}
