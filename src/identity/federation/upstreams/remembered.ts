import type { Clock } from '../../../platform/index.ts';

const ENTRIES_MAX = 1000;

/** What was last read at addresses of providers, and when: bounded, and the oldest goes first. */
export class Remembered<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly at: number; readonly value: T }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** With its age in milliseconds. */
  get(url: string): { readonly value: T; readonly age: number } | undefined {
    const known = this.#entries.get(url);
    return known && { value: known.value, age: this.#clock.now() - known.at };
  }

  keep(url: string, value: T): void {
    this.#entries.delete(url);
    this.#entries.set(url, { at: this.#clock.now(), value });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest);
  }
}
