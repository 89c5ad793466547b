/** A connection in the list. */
export interface IdleEntry<T> {
  readonly of: T;
  before: IdleEntry<T> | undefined;
  after: IdleEntry<T> | undefined;
  isIn: boolean;
}

/** Whatever is idle, the longest idle first. A doubly linked list: to be used again costs a few assignments. */
export class IdleList<T> {
  #first: IdleEntry<T> | undefined;
  #last: IdleEntry<T> | undefined;

  entryOf(of: T): IdleEntry<T> {
    return { of, before: undefined, after: undefined, isIn: false };
  }

  get oldest(): T | undefined {
    return this.#first?.of;
  }

  /** As the one that has been idle for the shortest time. */
  add(entry: IdleEntry<T>): void {
    if (this.#last === entry) return;
    this.remove(entry);
    entry.before = this.#last;
    if (this.#last === undefined) this.#first = entry;
    else this.#last.after = entry;
    this.#last = entry;
    entry.isIn = true;
  }

  remove(entry: IdleEntry<T>): void {
    if (!entry.isIn) return;
    const { before, after } = entry;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    entry.before = entry.after = undefined;
    entry.isIn = false;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let entry = this.#first; entry !== undefined; ) {
      // it may be taken out meanwhile
      const next: IdleEntry<T> | undefined = entry.after;
      yield entry.of;
      entry = next;
    }
  }
}
