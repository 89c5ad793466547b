import { BoundedMap } from '#engine';
import { delayAfter } from './background.ts';

/** Where there are more, all of them are tried once more at worst. */
const KEYS_MAX = 10_000;

interface Setback {
  readonly failures: number;
  readonly until: number;
}

/**
 * Keys that have failed wait, twice as long after each failure in a row, while the others go on. Times are
 * milliseconds.
 */
export class Setbacks {
  readonly #gapMs: number;
  readonly #maxMs: number;
  readonly #setbacks = new BoundedMap<string, Setback>(KEYS_MAX);

  constructor(gapMs: number, maxMs: number) {
    this.#gapMs = gapMs;
    this.#maxMs = maxMs;
  }

  mayTry(key: string, now: number): boolean {
    const until = this.#setbacks.get(key)?.until ?? now;
    // nobody waits that long: the clock was set back
    return now >= until || until - now > this.#maxMs;
  }

  failed(key: string, now: number): void {
    const failures = (this.#setbacks.get(key)?.failures ?? 0) + 1;
    this.#setbacks.set(key, { failures, until: now + delayAfter(failures - 1, this.#gapMs, this.#maxMs) });
  }

  succeeded(key: string): void {
    this.#setbacks.delete(key);
  }
}
