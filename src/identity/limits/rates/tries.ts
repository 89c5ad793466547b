import type { ReplayCache } from './replay-cache.ts';

/** So many wrong tries of each name, within this time. */
const TRIES_MAX = 5;
const WINDOW_MS = 600_000;

/**
 * A few tries for each of several names at once: an account, a browser, an address. A try is taken before it is made, so
 * that many at once are no more than one after another, and given back where it was right.
 */
export class Tries {
  readonly #spent: ReplayCache;
  readonly #purpose: string;

  constructor(spent: ReplayCache, purpose: string) {
    this.#spent = spent;
    this.#purpose = purpose;
  }

  /** Answers what gives the try back; `undefined` where one of the names has none left. */
  take(names: readonly string[], now: number): (() => void) | undefined {
    const taken: string[] = [];
    const giveBack = (): void => {
      for (const key of taken) this.#spent.restore(key, now);
    };
    for (const name of names) {
      const key = this.#takeOne(name, now);
      if (key === undefined) {
        giveBack();
        return undefined;
      }
      taken.push(key);
    }
    return giveBack;
  }

  #takeOne(name: string, now: number): string | undefined {
    for (let index = 0; index < TRIES_MAX; index++) {
      const key = `try\n${this.#purpose}\n${name}\n${index}`;
      if (this.#spent.spend(key, now + WINDOW_MS, now) === 'first') return key;
    }
    return undefined;
  }
}
