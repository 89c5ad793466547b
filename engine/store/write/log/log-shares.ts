/** The revisions of one store's commits that are in the log, oldest first, and how many bytes they have. */
export interface LogShare {
  readonly store: number;
  readonly revisions: RevisionQueue;
  bytes: number;
  /** Where it stands in the heap. */
  index: number;
}

/**
 * Shares of the log in a binary heap, the largest first. Of equal shares, the one with the lower store number counts as
 * larger.
 */
export class LogShares {
  readonly #byStore = new Map<number, LogShare>();
  readonly #heap: LogShare[] = [];

  of(store: number): LogShare {
    let share = this.#byStore.get(store);
    if (share === undefined) {
      share = { store, revisions: new RevisionQueue(), bytes: 0, index: this.#heap.length };
      this.#byStore.set(store, share);
      this.#heap.push(share);
      this.#rise(share);
    }
    return share;
  }

  largest(): LogShare | undefined {
    return this.#heap[0];
  }

  resize(share: LogShare, by: number): void {
    share.bytes += by;
    if (by > 0) this.#rise(share);
    else this.#sink(share);
    if (share.revisions.length === 0) this.#remove(share);
  }

  /** Forgets an empty share, so that there are never more shares than commits. */
  #remove(share: LogShare): void {
    const last = this.#heap.pop() as LogShare; // the heap has this share at least
    this.#byStore.delete(share.store);
    if (last === share) return;
    this.#put(last, share.index);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(share: LogShare): void {
    while (share.index > 0) {
      const parent = this.#heap[(share.index - 1) >> 1] as LogShare;
      if (!isLarger(share, parent)) return;
      this.#swap(share, parent);
    }
  }

  #sink(share: LogShare): void {
    for (;;) {
      const left = this.#heap[share.index * 2 + 1];
      const right = this.#heap[share.index * 2 + 2];
      const child = left !== undefined && right !== undefined && isLarger(right, left) ? right : left;
      if (child === undefined || !isLarger(child, share)) return;
      this.#swap(child, share);
    }
  }

  #swap(one: LogShare, other: LogShare): void {
    const { index } = one;
    this.#put(one, other.index);
    this.#put(other, index);
  }

  #put(share: LogShare, index: number): void {
    this.#heap[index] = share;
    share.index = index;
  }
}

function isLarger(one: LogShare, other: LogShare): boolean {
  return one.bytes === other.bytes ? one.store < other.store : one.bytes > other.bytes;
}

/** Taken from and put back at both ends. */
export class RevisionQueue {
  #items: number[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): number {
    return this.#items[this.#head] as number; // asked only where there is one
  }

  push(revision: number): void {
    this.#items.push(revision);
  }

  pop(): void {
    this.#items.pop();
  }

  shift(): void {
    this.#head++;
    if (this.#head < 1024 || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }

  unshift(revision: number): void {
    if (this.#head > 0) this.#items[--this.#head] = revision;
    else this.#items.unshift(revision);
  }
}
