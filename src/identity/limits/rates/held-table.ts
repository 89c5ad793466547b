import { createHash } from 'node:crypto';

/**
 * How many of something each key holds at this moment, in memory that all threads share. It is a table of fixed size
 * behind one lock, for things that are seldom taken and given back. When the table is full, nothing more is given.
 */
export class HeldTable {
  readonly #cells: Int32Array;

  /** `memory` is of `createHeldMemory`. */
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /** How many the key holds. */
  held(key: string): number {
    return this.#locked(() => {
      const { found } = this.#find(digestOf(key));
      return found === undefined ? 0 : (this.#cells[found] as number);
    });
  }

  /** Takes one for each key, or none at all if one of the keys would pass its limit. */
  take(keys: readonly HeldKey[]): boolean {
    return this.#locked(() => {
      const taken: number[] = [];
      for (const { key, most } of keys) {
        const at = this.#claim(key);
        if (at === undefined || (this.#cells[at] as number) >= most) {
          for (const each of taken) this.#add(each, -1);
          return false;
        }
        this.#add(at, 1);
        taken.push(at);
      }
      return true;
    });
  }

  give(keys: readonly HeldKey[]): void {
    this.#locked(() => {
      for (const { key } of keys) {
        const { found } = this.#find(digestOf(key));
        if (found !== undefined) this.#add(found, -1);
      }
    });
  }

  #add(at: number, by: number): void {
    this.#cells[at] = (this.#cells[at] as number) + by;
  }

  /** The key's slot, or a free one that now belongs to it. */
  #claim(key: string): number | undefined {
    const names = digestOf(key);
    const { found, free } = this.#find(names);
    if (found !== undefined || free === undefined) return found;
    this.#cells.set(names, free + 1);
    return free;
  }

  /** A used slot that counts zero is free, but the search for a key continues after it. */
  #find([one, two, three]: Names): { readonly found?: number; readonly free?: number | undefined } {
    const cells = this.#cells;
    const slots = (cells.length - HEADER) / SLOT;
    let free: number | undefined;
    for (let step = 0, slot = (one >>> 0) % slots; step < slots; step++, slot = (slot + 1) % slots) {
      const at = HEADER + slot * SLOT;
      if (cells[at] === 0) free ??= at;
      else if (cells[at + 1] === one && cells[at + 2] === two && cells[at + 3] === three) return { found: at };
      if (cells[at] === 0 && cells[at + 1] === 0 && cells[at + 2] === 0) break;
    }
    return { free };
  }

  #locked<T>(use: () => T): T {
    while (Atomics.compareExchange(this.#cells, LOCK, 0, 1) !== 0) Atomics.wait(this.#cells, LOCK, 1, WAIT_MS);
    try {
      return use();
    } finally {
      Atomics.store(this.#cells, LOCK, 0);
      Atomics.notify(this.#cells, LOCK, 1);
    }
  }
}

export interface HeldKey {
  readonly key: string;
  readonly most: number;
}

type Names = readonly [number, number, number];

const LOCK = 0;
const HEADER = 4;
/** A count, and 96 bits of the key's digest. */
const SLOT = 4;
const WAIT_MS = 1;

function digestOf(key: string): Names {
  const digest = createHash('sha256').update(key).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8)];
}

/** Memory for so many keys at a time, 16 bytes each. */
export function createHeldMemory(keys: number): SharedArrayBuffer {
  return new SharedArrayBuffer((HEADER + keys * SLOT) * 4);
}
