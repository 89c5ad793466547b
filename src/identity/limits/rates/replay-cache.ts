import { createHash } from 'node:crypto';

/**
 * What may be used once, in memory that all threads share: the first to come with a key is told so, and every other one,
 * in whatever thread, that it comes again. A table of fixed size in groups, each behind a lock that is held for as long
 * as it takes to look at sixteen slots. Nothing gives way before its time: where a group is full the answer is `full`,
 * and what cannot be remembered must not be accepted. It begins empty with the service: `startedAt` says since when it
 * remembers.
 */
export class ReplayCache {
  readonly #cells: Int32Array;
  readonly #groups: number;

  /** `memory` is of `createReplayMemory`. */
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
    this.#groups = Math.floor((this.#cells.length - HEADER) / GROUP);
  }

  /** Milliseconds since the epoch, a whole second. */
  get startedAt(): number {
    return ((this.#cells[STARTED] as number) + EPOCH_S) * 1000;
  }

  /**
   * Uses a key up. Both times are milliseconds since the epoch.
   * @param until when it may be forgotten
   */
  spend(key: string, until: number, now: number): 'first' | 'again' | 'full' {
    return (
      this.#locked(key, (first, names) => {
        const { held, free } = this.#find(first, names, secondOf(now));
        if (held !== undefined) return 'again';
        if (free === undefined) return 'full';
        this.#cells.set(names, free + 1);
        this.#cells[free] = secondOf(until) + 1;
        return 'first';
      }) ?? 'full'
    );
  }

  /** Whether a key is used up, which it stays. */
  isSpent(key: string, now: number): boolean {
    return this.#locked(key, (first, names) => this.#find(first, names, secondOf(now)).held !== undefined) ?? false;
  }

  /** Gives a key back that was used up. */
  restore(key: string, now: number): void {
    this.#locked(key, (first, names) => {
      const { held } = this.#find(first, names, secondOf(now));
      if (held !== undefined) this.#cells[held] = 0;
    });
  }

  #find(first: number, names: Names, now: number): { readonly held?: number; readonly free?: number | undefined } {
    const cells = this.#cells;
    let free: number | undefined;
    for (let at = first; at < first + WAYS * SLOT; at += SLOT) {
      if ((cells[at] as number) <= now) free ??= at;
      else if (names.every((name, index) => cells[at + 1 + index] === name)) return { held: at };
    }
    return { free };
  }

  #locked<T>(key: string, use: (first: number, names: Names) => T): T | undefined {
    const digest = createHash('sha256').update(key).digest();
    const group = HEADER + (digest.readUInt32LE(12) % this.#groups) * GROUP;
    if (!this.#lock(group)) return undefined;
    try {
      return use(group + 1, [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8)]);
    } finally {
      Atomics.store(this.#cells, group, 0);
      Atomics.notify(this.#cells, group, 1);
    }
  }

  /** False where nobody gives it back: a thread has ended in the midst of it. */
  #lock(group: number): boolean {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      if (Atomics.compareExchange(this.#cells, group, 0, 1) === 0) return true;
      Atomics.wait(this.#cells, group, 1, WAIT_MS);
    }
    return false;
  }
}

/** Of a key: 96 bits of its digest. */
type Names = readonly [number, number, number];

/** Cells before the groups. */
const HEADER = 4;
const STARTED = 0;
/** Until when, and 96 bits of the key's digest. */
const SLOT = 4;
const WAYS = 16;
/** A lock before the slots. */
const GROUP = 1 + WAYS * SLOT;
/** Times are counted in seconds from here, so that they fit 32 bits for decades. */
const EPOCH_S = 1_700_000_000;
const TRIES_MAX = 100;
const WAIT_MS = 1;

function secondOf(time: number): number {
  return Math.floor(time / 1000) - EPOCH_S;
}

/** Memory for about so many keys at a time, 16 bytes each. */
export function createReplayMemory(keys: number, now: number): SharedArrayBuffer {
  const groups = Math.max(1, Math.ceil(keys / WAYS));
  const memory = new SharedArrayBuffer((HEADER + groups * GROUP) * 4);
  new Int32Array(memory)[STARTED] = secondOf(now);
  return memory;
}
