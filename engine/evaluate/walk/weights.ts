import type { EngineError } from '../../errors.ts';
import type { Verdict } from '../verdict.ts';

/** What a tuple or a node is worth to a question, and what it lacks where that is not decided. */
export interface Doubt {
  readonly verdict: Verdict;
  readonly missing: readonly string[];
  readonly error: EngineError | undefined;
}

/** Tuples that one question has weighed, whoever it is about. */
export class Weights {
  readonly #byObject = new Map<number, Map<number, Doubt>>();
  /** Small numbers for `kinds`, so that one of them fits into a key beside a subject. */
  readonly #numbers = new Map<number, number>();

  find(object: number, kinds: number, subject: number): Doubt | undefined {
    return this.#byObject.get(object)?.get(this.#key(kinds, subject));
  }

  add(object: number, kinds: number, subject: number, weight: Doubt): void {
    const known = this.#byObject.get(object) ?? new Map<number, Doubt>();
    this.#byObject.set(object, known);
    known.set(this.#key(kinds, subject), weight);
  }

  #key(kinds: number, subject: number): number {
    let number = this.#numbers.get(kinds);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(kinds, number);
    }
    return number * 2 ** 32 + subject;
  }
}
