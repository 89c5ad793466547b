/** Numbers that wait for their turn: the smallest goes first. They are few enough to be kept in order in a list. */
export class WaitingList {
  readonly #numbers: number[] = [];

  get first(): number | undefined {
    return this.#numbers.at(-1);
  }

  add(number: number): void {
    let [low, high] = [0, this.#numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // the largest first, so that the smallest is taken from the end
      if ((this.#numbers[middle] as number) > number) low = middle + 1;
      else high = middle;
    }
    this.#numbers.splice(low, 0, number);
  }

  take(): number | undefined {
    return this.#numbers.pop();
  }
}
