import { randomBytes } from 'node:crypto';

/** Limits are told in requests a minute. */
export const RATE_WINDOW_MS = 60_000;
/** Credentials and addresses that are counted in one minute. */
export const RATE_KEYS = 65_536;

/**
 * Counts by key in windows of time, in memory that all threads share: what one thread has let through, the others know
 * at once, without a message and without waiting. A table of fixed size: when many keys come in one window, those with
 * the lowest counts give way. Where two threads meet in one slot, a count may be a few too low, never too high.
 */
export class RateTable {
  readonly #cells: Int32Array;
  readonly #windowMs: number;
  readonly #groups: number;
  readonly #seed: number;

  /** `memory` is of `createRateMemory`. */
  constructor(memory: SharedArrayBuffer, windowMs: number) {
    this.#cells = new Int32Array(memory);
    this.#windowMs = windowMs;
    this.#seed = this.#cells[0] ?? 0;
    this.#groups = (this.#cells.length - HEADER) / (WAYS * SLOT);
  }

  /** Adds to the count of a key in the window of `now`. Answers the count, this addition with it. */
  add(key: string, now: number): number {
    const window = this.#windowOf(now);
    const { low, high } = hashed(key, this.#seed);
    const at = this.#find(low, high, window) ?? this.#claim(low, high, window);
    return Atomics.add(this.#cells, at + COUNT, 1) + 1;
  }

  /** The count of a key in the window of `now`. */
  count(key: string, now: number): number {
    const window = this.#windowOf(now);
    const { low, high } = hashed(key, this.#seed);
    const at = this.#find(low, high, window);
    return at === undefined ? 0 : Atomics.load(this.#cells, at + COUNT);
  }

  /** Seconds to the end of the window of `now`, at least 1. */
  secondsLeft(now: number): number {
    return Math.max(1, Math.ceil((this.#windowMs - (now % this.#windowMs)) / 1000));
  }

  /** From 1, because memory begins as zeros. */
  #windowOf(now: number): number {
    return 1 + Math.floor(now / this.#windowMs);
  }

  #find(low: number, high: number, window: number): number | undefined {
    const cells = this.#cells;
    const group = this.#groupOf(low);
    for (let at = group; at < group + WAYS * SLOT; at += SLOT) {
      if (cells[at + LOW] === low && cells[at + HIGH] === high && Atomics.load(cells, at + WINDOW) === window)
        return at;
    }
    return undefined;
  }

  /** A slot of the key's group: one from an earlier window, or the one with the lowest count. */
  #claim(low: number, high: number, window: number): number {
    const cells = this.#cells;
    const group = this.#groupOf(low);
    let chosen = group;
    for (let at = group; at < group + WAYS * SLOT; at += SLOT) {
      if ((cells[at + WINDOW] as number) < window) {
        chosen = at;
        break;
      }
      if ((cells[at + COUNT] as number) < (cells[chosen + COUNT] as number)) chosen = at;
    }
    // nobody finds the slot while its names change
    Atomics.store(cells, chosen + WINDOW, 0);
    cells[chosen + LOW] = low;
    cells[chosen + HIGH] = high;
    Atomics.store(cells, chosen + COUNT, 0);
    Atomics.store(cells, chosen + WINDOW, window);
    return chosen;
  }

  #groupOf(low: number): number {
    return HEADER + ((low >>> 0) % this.#groups) * WAYS * SLOT;
  }
}

/** Cells before the slots: the seed of the hashes. */
const HEADER = 4;
const SLOT = 4;
const LOW = 0;
const HIGH = 1;
const WINDOW = 2;
const COUNT = 3;
/** Slots that one key may have. */
const WAYS = 8;

/** Memory for about so many keys at a time: 16 bytes each. Seeded, so that nobody can choose keys that meet. */
export function createRateMemory(keys: number): SharedArrayBuffer {
  const groups = Math.max(1, Math.ceil(keys / WAYS));
  const memory = new SharedArrayBuffer((HEADER + groups * WAYS * SLOT) * 4);
  new Int32Array(memory)[0] = randomBytes(4).readInt32LE();
  return memory;
}

const hash = { low: 0, high: 0 };

/** Two hashes of 32 bits (FNV-1a with other multipliers and a final mix), in one object that is used again. */
function hashed(key: string, seed: number): { readonly low: number; readonly high: number } {
  let low = seed ^ 0x811c9dc5;
  let high = ~seed ^ 0x9e3779b9;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  hash.low = mixed(low);
  hash.high = mixed(high ^ key.length);
  return hash;
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0xc2b2ae35);
  return once ^ (once >>> 13);
}
