/** The seed of everything that the benchmarks generate. */
export const SEED = 20_260_101;

/** Pseudo-random numbers that are the same on every machine: mulberry32, 32 bits of state, a few instructions each. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, not including, `bound`; `bound` up to 2^32. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /** Distances of events that happen independently, with this mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.below(2 ** 32) / 2 ** 32) * mean;
  }

  coin(): boolean {
    return this.below(2) === 1;
  }
}
