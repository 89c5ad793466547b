/** The one error that says that an evaluation has spent its cost. Made once: it is thrown in loops. */
const SPENT = new Error('the condition costs too much');

/**
 * Counts the work of one evaluation. CEL's logical operators and quantifiers swallow errors ("true outranks an
 * error"), so that throwing alone would not end an evaluation: whoever runs it asks `spent` afterwards.
 */
export class Meter {
  readonly #limit: number;
  #left: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.#left = limit;
  }

  reset(): void {
    this.#left = this.#limit;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw SPENT;
  }

  get spent(): boolean {
    return this.#left < 0;
  }
}
