import fc from 'fast-check';

/**
 * A list of numbers, read one by one as choices. Generated values are built from such lists, so that fast-check shrinks
 * a counterexample by dropping and lowering numbers, whatever the value's shape. An exhausted list always chooses the
 * first, which is the simplest.
 */
export class Codons {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from 0 up to, but without, `count`. */
  below(count: number): number {
    const number = this.#numbers[this.#next++] ?? 0;
    return number % count;
  }

  /** True once in `count` times. */
  once(count: number): boolean {
    return this.below(count) === count - 1;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

const codon = fc.noBias(fc.nat(0xffff));

/** Lists of codons for values that need up to `size` choices. */
export function codons(size: number): fc.Arbitrary<Codons> {
  return fc.array(codon, { maxLength: size, size: 'max' }).map((numbers) => new Codons(numbers));
}
