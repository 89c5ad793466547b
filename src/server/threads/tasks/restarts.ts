import { delayAfter } from '../../../platform/index.ts';

const GAP_MS = 1000;
const GAP_MAX_MS = 60_000;

/** When a thread that has ended by an error may be started again: at once, and after each further failure later. */
export class Restarts {
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  failed(now: number): void {
    this.#failures++;
    if (this.#failures > 1) this.#notBefore = now + delayAfter(this.#failures - 2, GAP_MS, GAP_MAX_MS);
  }

  /** It has done something. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** 0 or less: it may be started now. */
  waitMs(now: number): number {
    return this.#notBefore - now;
  }
}
