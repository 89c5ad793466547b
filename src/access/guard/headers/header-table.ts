import { randomInt } from 'node:crypto';
import { wordsOf } from '../../../platform/index.ts';

const SLOTS = 32_768;
/** The slots of a set: a text stands in one of these, from the first of its hash on. */
const WAYS = 8;
/** Characters that are hashed, the last ones: of a key or token they are what nobody can guess. */
const HASHED_MAX = 12;
/** Four octets each: so many fit into a line of a processor's cache, and every key of an organization fits into them. */
const ROW_WORDS = 16;
const NONE = new Int32Array(0);

/**
 * Values by text, in a table of a fixed size that is bounded by the weight of what it holds as well. Texts of requests are
 * new each time, and so many are known that none is in a processor's cache: a text is found by a few of its characters,
 * in two places of memory besides the text itself, which `slotsOf` can have on their way. Where a request is foreseen, not
 * even the text is made: `slotsOf` finds the slot by the octets, and `at` compares these with the row of the slot.
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
  /** The octets of the text of each slot, with zeros behind them; zeros alone where it has no room, or other characters. */
  #rows = NONE;
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
      if (hashes[slot] === hash && this.#textAt(slot) === text) return this.valueAt(slot);
    }
    return undefined;
  }

  /** To be called for a text that is not there. */
  add(text: string, value: V, weight: number): void {
    if (this.#hashes === NONE) {
      this.#hashes = new Int32Array(SLOTS);
      this.#weights = new Int32Array(SLOTS);
      this.#rows = new Int32Array(SLOTS * ROW_WORDS);
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
    if (fitsRow(text)) this.#fillRow(slot, text);
    this.#weight += weight;
    while (this.#weight > this.#weightMax) {
      this.#hand = (this.#hand + 1) % SLOTS;
      if (this.#hand !== slot) this.#drop(this.#hand);
      else if (this.#weight === weight) break;
    }
  }

  #fillRow(slot: number, text: string): void {
    for (let word = 0; word < ROW_WORDS; word++) this.#rows[slot * ROW_WORDS + word] = wordAt(text, 4 * word);
  }

  #drop(slot: number): void {
    this.#weight -= this.#weights[slot] as number;
    this.#hashes[slot] = this.#weights[slot] = 0;
    this.#pairs[2 * slot] = this.#pairs[2 * slot + 1] = undefined;
    this.#rows.fill(0, slot * ROW_WORDS, (slot + 1) * ROW_WORDS);
  }

  hash(text: string): number {
    const { length } = text;
    const from = Math.max(0, length - HASHED_MAX);
    return hashOf(this.#seed ^ length, wordAt(text, from), wordAt(text, from + 4), wordAt(text, from + 8));
  }

  /** The hash of the text that stands in octets from one offset to another, a character each; 0 where it is very short. */
  hashAt(octets: Uint8Array, from: number, to: number): number {
    const at = to - HASHED_MAX;
    if (at < from) return 0;
    const words = wordsOf(octets);
    return hashOf(
      this.#seed ^ (to - from),
      words.getInt32(at, true),
      words.getInt32(at + 4, true),
      words.getInt32(at + 8, true),
    );
  }

  /**
   * The value of a slot that `slotsOf` found, if its text is what stands in octets from one offset to another. All octets
   * are compared, so that the time does not tell where they differ; and other texts are hardly ever, as all bits of the hash
   * are the same.
   * @returns undefined also where the text is too long for a row: `get` may find it
   */
  at(slot: number, octets: Uint8Array, from: number, to: number): V | undefined {
    const length = to - from;
    // a zero at the end would be one of those behind a text
    if (length < HASHED_MAX || length > 4 * ROW_WORDS || octets[to - 1] === 0) return undefined;
    const words = wordsOf(octets);
    const rows = this.#rows;
    const row = slot * ROW_WORDS;
    const whole = length >> 2;
    let difference = 0;
    for (let word = 0; word < whole; word++) {
      difference |= words.getInt32(from + 4 * word, true) ^ (rows[row + word] as number);
    }
    if (whole < ROW_WORDS) {
      const bits = 8 * (length & 3);
      // the last octets of the word that ends there, and zeros where none is left
      const rest = bits === 0 ? 0 : words.getInt32(to - 4, true) >>> (32 - bits);
      difference |= rest ^ (rows[row + whole] as number);
    }
    return difference === 0 ? this.valueAt(slot) : undefined;
  }

  /**
   * Puts into `slots` where texts with one of the hashes stand, whatever the texts are, and the number of the hash into
   * `numbers`. What `at` will read, too, is read for all of them at the same time.
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
    const rows = this.#rows;
    for (let index = 0; index < found; index++) {
      const slot = slots[index] as number;
      read ^= (rows[slot * ROW_WORDS] as number) ^ (this.valueAt(slot) === undefined ? 0 : 1);
    }
    this.#hasRead[0] = read;
    return found;
  }

  #slotOf(hash: number): number {
    const hashes = this.#hashes;
    const first = firstSlot(hash);
    for (let slot = first; slot < first + WAYS; slot++) if (hashes[slot] === hash) return slot;
    return -1;
  }

  #textAt(slot: number): string | undefined {
    return this.#pairs[2 * slot] as string | undefined;
  }

  /** What stands in a slot, whatever its text is: to be looked at, and not to be used. */
  valueAt(slot: number): V | undefined {
    return this.#pairs[2 * slot + 1] as V | undefined;
  }
}

/** Four characters from one on, as the word that their octets make; zeros where there are none. */
function wordAt(text: string, at: number): number {
  let word = 0;
  const end = Math.min(4, text.length - at);
  for (let place = 0; place < end; place++) word |= (text.charCodeAt(at + place) & 0xff) << (8 * place);
  return word;
}

/** Rows are filled up with zeros, so a text with one does not fit. */
function fitsRow(text: string): boolean {
  if (text.length > 4 * ROW_WORDS) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0 || code > 0xff) return false;
  }
  return true;
}

function hashOf(seed: number, first: number, second: number, third: number): number {
  let hash = Math.imul(seed ^ first, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 13) ^ third, 0xc2b2ae3d);
  return (hash ^ (hash >>> 16)) | 0;
}

/** Sets do not overlap, so that a look-up never passes the end of the table. */
function firstSlot(hash: number): number {
  return (hash & (SLOTS / WAYS - 1)) * WAYS;
}
