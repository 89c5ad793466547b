import { addressKey, type Clock } from '../../../platform/index.ts';
import { createRateMemory, RATE_KEYS, RATE_WINDOW_MS, RateTable } from './rate-table.ts';

/** What all threads remember of credentials. */
export interface GuessMemory {
  readonly refused: SharedArrayBuffer;
  readonly accepted: SharedArrayBuffer;
}

export function createGuessMemory(): GuessMemory {
  return { refused: createRateMemory(RATE_KEYS), accepted: createRateMemory(RATE_KEYS) };
}

/** Within this, and up to twice as long, a credential is known to have been good. */
const ACCEPTED_MS = 86_400_000;

/**
 * Slows down who tries credentials from one address. After so many refused ones in a minute, no other is looked up that
 * was not good before: a right guess would be refused too. Services whose keys have been good go on, also from behind
 * the same address.
 */
export class Guesses {
  readonly #refused: RateTable;
  readonly #accepted: RateTable;
  readonly #clock: Clock;
  readonly #most: number;

  /** @param most refused credentials of one address in a minute; 0 is no limit */
  constructor(memory: GuessMemory, most: number, clock: Clock) {
    this.#refused = new RateTable(memory.refused, RATE_WINDOW_MS);
    this.#accepted = new RateTable(memory.accepted, ACCEPTED_MS);
    this.#clock = clock;
    this.#most = most;
  }

  /** Seconds to wait, where this credential must not be tried now. */
  waitBefore(address: string, credential: string): number | undefined {
    if (this.#most === 0) return undefined;
    const now = this.#clock.now();
    if (this.#refused.count(addressKey(address), now) < this.#most || this.#wasGood(credential, now)) return undefined;
    return this.#refused.secondsLeft(now);
  }

  refused(address: string): void {
    if (this.#most !== 0) this.#refused.add(addressKey(address), this.#clock.now());
  }

  accepted(credential: string): void {
    const now = this.#clock.now();
    if (this.#most !== 0 && this.#accepted.count(credential, now) === 0) this.#accepted.add(credential, now);
  }

  #wasGood(credential: string, now: number): boolean {
    return this.#accepted.count(credential, now) > 0 || this.#accepted.count(credential, now - ACCEPTED_MS) > 0;
  }
}
