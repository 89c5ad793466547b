import fc from 'fast-check';

export type Genes = readonly number[];

/**
 * A list of numbers, read one by one as choices. Generated values are built from such lists, so that fast-check shrinks
 * a counterexample by dropping and lowering numbers, whatever the value's shape. An exhausted list always chooses the
 * first, which is the simplest.
 */
export class Codons {
  readonly #numbers: Genes;
  #next = 0;

  constructor(numbers: Genes) {
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

/**
 * What `Codons` read, for values that need up to `size` choices. The numbers and not their reader, because fast-check
 * uses a generated value again for the smaller ones that it tries.
 */
export function genes(size: number): fc.Arbitrary<Genes> {
  return fc.array(codon, { maxLength: size, size: 'max' });
}
