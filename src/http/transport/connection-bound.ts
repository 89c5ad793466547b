import { randomBytes } from 'node:crypto';
import { type AddressList, addressKey } from '../../platform/index.ts';

/** Cells before the sketch. */
const HEADER = 4;
const SEED = 0;
const OPEN = 1;
const MAX = 2;
const ADDRESS_MAX = 3;
/** Counters of one row. An address is counted exactly unless others share both of its cells. */
const ROW = 65_536;

/**
 * How many connections are open, in all and by address, counted by all threads together. Addresses are counted in a
 * count-min sketch (Cormode and Muthukrishnan, 2005): its size is fixed, and a count is exact unless both of its cells
 * are shared with other addresses; then it is too high. The seed is random, so nobody can choose to share cells with
 * another. Without bounds until `limit`.
 */
export class ConnectionBound {
  readonly #cells: Int32Array;
  readonly #exempt: AddressList;

  /** @param exempt addresses without a count of their own: proxies, which have many clients behind them */
  constructor(memory: SharedArrayBuffer, exempt: AddressList) {
    this.#cells = new Int32Array(memory);
    this.#exempt = exempt;
  }

  static allocate(): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((HEADER + 2 * ROW) * Int32Array.BYTES_PER_ELEMENT);
    new Int32Array(memory)[SEED] = randomBytes(4).readInt32LE();
    return memory;
  }

  limit(connectionsMax: number, addressMax: number): void {
    Atomics.store(this.#cells, ADDRESS_MAX, addressMax);
    Atomics.store(this.#cells, MAX, connectionsMax);
  }

  get open(): number {
    return Atomics.load(this.#cells, OPEN);
  }

  /** Whether there are too many. */
  get isExceeded(): boolean {
    const max = Atomics.load(this.#cells, MAX);
    return max > 0 && this.open > max;
  }

  /** Counts one. @returns whether its address has too many */
  add(address: string): boolean {
    Atomics.add(this.#cells, OPEN, 1);
    const most = Atomics.load(this.#cells, ADDRESS_MAX);
    const count = this.#count(address, 1);
    return most > 0 && count > most;
  }

  remove(address: string): void {
    Atomics.sub(this.#cells, OPEN, 1);
    this.#count(address, -1);
  }

  #count(address: string, by: number): number {
    if (this.#exempt.has(address)) return 0;
    const key = addressKey(address);
    const seed = this.#cells[SEED] ?? 0;
    const first = HEADER + (hashOf(key, seed) % ROW);
    const second = HEADER + ROW + (hashOf(key, ~seed) % ROW);
    return Math.min(Atomics.add(this.#cells, first, by), Atomics.add(this.#cells, second, by)) + by;
  }
}

/** FNV-1a with a final mix: 32 bits. */
function hashOf(key: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
