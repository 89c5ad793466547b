/** A place in a list, for each connection. */
export interface IdlePlace<T> {
  readonly of: T;
  before: IdlePlace<T> | undefined;
  after: IdlePlace<T> | undefined;
  isIn: boolean;
}

/** Whatever is idle, the longest idle first. A doubly linked list: to be used again costs a few assignments. */
export class IdleList<T> {
  #first: IdlePlace<T> | undefined;
  #last: IdlePlace<T> | undefined;

  place(of: T): IdlePlace<T> {
    return { of, before: undefined, after: undefined, isIn: false };
  }

  get oldest(): T | undefined {
    return this.#first?.of;
  }

  /** As the one that has been idle for the shortest time. */
  add(place: IdlePlace<T>): void {
    if (this.#last === place) return;
    this.remove(place);
    place.before = this.#last;
    if (this.#last === undefined) this.#first = place;
    else this.#last.after = place;
    this.#last = place;
    place.isIn = true;
  }

  remove(place: IdlePlace<T>): void {
    if (!place.isIn) return;
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    place.before = place.after = undefined;
    place.isIn = false;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let place = this.#first; place !== undefined; ) {
      // it may be taken out meanwhile
      const next: IdlePlace<T> | undefined = place.after;
      yield place.of;
      place = next;
    }
  }
}
