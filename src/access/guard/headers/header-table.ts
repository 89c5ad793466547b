import { randomInt } from 'node:crypto';

const SLOTS = 32_768;
/** The slots of a set: a text stands in one of these, from the first of its hash on. */
const WAYS = 8;
/** Characters that are hashed, the last ones: of a key or token they are what nobody can guess. */
const HASHED_MAX = 12;
const NONE = new Int32Array(0);

interface Entry<V> {
  readonly text: string;
  readonly value: V;
  readonly weight: number;
}

/**
 * Values by text, in a table of a fixed size that is bounded by the weight of what it holds as well. Texts of requests are
 * new each time, and so many are known that none is in a processor's cache: a text is found by a few of its characters,
 * in two places of memory besides the value itself, which `foresee` can have on their way.
 *
 * Texts may be secrets. They are compared only where all 32 bits of their hashes are the same, and nobody outside the
 * process knows how these are made.
 */
export class HeaderTable<V> {
  readonly #weightMax: number;
  readonly #seed = randomInt(2 ** 32);
  #hashes = NONE;
  #entries: (Entry<V> | undefined)[] = [];
  #weight = 0;
  /** The slot from which on entries go where there are too many. */
  #hand = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(text: string): V | undefined {
    const hash = this.hash(text);
    const first = firstSlot(hash);
    const hashes = this.#hashes;
    for (let slot = first; slot < first + WAYS; slot++) {
      if (hashes[slot] !== hash) continue;
      const entry = this.#entries[slot];
      if (entry !== undefined && entry.text === text) return entry.value;
    }
    return undefined;
  }

  /** To be called for a text that is not there. */
  add(text: string, value: V, weight: number): void {
    if (this.#hashes === NONE) {
      this.#hashes = new Int32Array(SLOTS);
      this.#entries = new Array(SLOTS).fill(undefined);
    }
    const hash = this.hash(text);
    const first = firstSlot(hash);
    let slot = first + ((hash >>> 16) % WAYS);
    for (let each = first; each < first + WAYS; each++) {
      if (this.#entries[each] !== undefined) continue;
      slot = each;
      break;
    }
    this.#drop(slot);
    this.#hashes[slot] = hash;
    this.#entries[slot] = { text, value, weight };
    this.#weight += weight;
    while (this.#weight > this.#weightMax) {
      this.#hand = (this.#hand + 1) % SLOTS;
      if (this.#hand !== slot) this.#drop(this.#hand);
      else if (this.#weight === weight) break;
    }
  }

  #drop(slot: number): void {
    const entry = this.#entries[slot];
    if (entry === undefined) return;
    this.#weight -= entry.weight;
    this.#entries[slot] = undefined;
    this.#hashes[slot] = 0;
  }

  hash(text: string): number {
    const { length } = text;
    let hash = this.#seed ^ length;
    for (let at = Math.max(0, length - HASHED_MAX); at < length; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash | 0;
  }

  /** Reads where a hash is looked for. */
  touch(hash: number): number {
    return this.#hashes[firstSlot(hash)] ?? 0;
  }

  /** An entry whose text has this hash, whatever the text is: to be looked at, and not to be used. */
  foresee(hash: number): Readonly<Entry<V>> | undefined {
    const first = firstSlot(hash);
    for (let slot = first; slot < first + WAYS; slot++) {
      if (this.#hashes[slot] === hash) return this.#entries[slot];
    }
    return undefined;
  }
}

/** Sets do not overlap, so that a look-up never passes the end of the table. */
function firstSlot(hash: number): number {
  return (hash & (SLOTS / WAYS - 1)) * WAYS;
}
