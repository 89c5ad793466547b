import { randomInt } from 'node:crypto';

const SLOTS = 32_768;
/** The slots of a set: a text stands in one of these, from the first of its hash on. */
const WAYS = 8;
/** Characters that are hashed, the last ones: of a key or token they are what nobody can guess. */
const HASHED_MAX = 12;
const NONE = new Int32Array(0);

/**
 * Values by text, in a table of a fixed size that is bounded by the weight of what it holds as well. Texts of requests are
 * new each time, and so many are known that none is in a processor's cache: a text is found by a few of its characters,
 * in two places of memory besides the text itself, which `slotsOf` can have on their way.
 *
 * Texts may be secrets. They are compared only where all 32 bits of their hashes are the same, and nobody outside the
 * process knows how these are made.
 */
export class HeaderTable<V> {
  readonly #weightMax: number;
  readonly #seed = randomInt(2 ** 32);
  /** Of each slot, 0 where it is free. */
  #hashes = NONE;
  #weights = NONE;
  /** The text of each slot and its value, in turns: both come with one look at memory. */
  #pairs: (string | V | undefined)[] = [];
  #weight = 0;
  /** The slot from which on texts go where there are too many. */
  #hand = 0;
  /** Uses what `slotsOf` reads: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(text: string): V | undefined {
    const hash = this.hash(text);
    const first = firstSlot(hash);
    const hashes = this.#hashes;
    for (let slot = first; slot < first + WAYS; slot++) {
      if (hashes[slot] === hash && this.textAt(slot) === text) return this.valueAt(slot);
    }
    return undefined;
  }

  /** To be called for a text that is not there. */
  add(text: string, value: V, weight: number): void {
    if (this.#hashes === NONE) {
      this.#hashes = new Int32Array(SLOTS);
      this.#weights = new Int32Array(SLOTS);
      this.#pairs = new Array(2 * SLOTS).fill(undefined);
    }
    const hash = this.hash(text);
    const first = firstSlot(hash);
    let slot = first + ((hash >>> 16) % WAYS);
    for (let each = first; each < first + WAYS; each++) {
      if (this.#pairs[2 * each] !== undefined) continue;
      slot = each;
      break;
    }
    this.#drop(slot);
    this.#hashes[slot] = hash;
    this.#weights[slot] = weight;
    this.#pairs[2 * slot] = text;
    this.#pairs[2 * slot + 1] = value;
    this.#weight += weight;
    while (this.#weight > this.#weightMax) {
      this.#hand = (this.#hand + 1) % SLOTS;
      if (this.#hand !== slot) this.#drop(this.#hand);
      else if (this.#weight === weight) break;
    }
  }

  #drop(slot: number): void {
    this.#weight -= this.#weights[slot] as number;
    this.#hashes[slot] = this.#weights[slot] = 0;
    this.#pairs[2 * slot] = this.#pairs[2 * slot + 1] = undefined;
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

  /**
   * Puts into `slots` where texts with one of the hashes stand, whatever the texts are, and the number of the hash into
   * `numbers`. What is read on the way is read for all of them at the same time.
   * @returns how many were found
   */
  slotsOf(wanted: Int32Array, count: number, slots: Int32Array, numbers: Int32Array): number {
    const hashes = this.#hashes;
    let read = 0;
    for (let index = 0; index < count; index++) read ^= hashes[firstSlot(wanted[index] as number)] ?? 0;
    let found = 0;
    for (let index = 0; index < count; index++) {
      const slot = this.#slotOf(wanted[index] as number);
      if (slot < 0) continue;
      numbers[found] = index;
      slots[found++] = slot;
    }
    for (let index = 0; index < found; index++) read ^= this.textAt(slots[index] as number) === undefined ? 0 : 1;
    this.#hasRead[0] = read;
    return found;
  }

  #slotOf(hash: number): number {
    const hashes = this.#hashes;
    const first = firstSlot(hash);
    for (let slot = first; slot < first + WAYS; slot++) if (hashes[slot] === hash) return slot;
    return -1;
  }

  /** What stands in a slot: to be looked at, and not to be used. */
  textAt(slot: number): string | undefined {
    return this.#pairs[2 * slot] as string | undefined;
  }

  /** As `textAt`. */
  valueAt(slot: number): V | undefined {
    return this.#pairs[2 * slot + 1] as V | undefined;
  }
}

/** Sets do not overlap, so that a look-up never passes the end of the table. */
function firstSlot(hash: number): number {
  return (hash & (SLOTS / WAYS - 1)) * WAYS;
}
