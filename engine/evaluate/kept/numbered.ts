/** Gives objects numbers, so that a text can name one. A number is never given twice. */
export class Numbered {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  of(object: object): number {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    this.#last++;
    this.#numbers.set(object, this.#last);
    return this.#last;
  }
}
