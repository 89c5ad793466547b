/** What a thread's snapshot says of lmdb's read transaction, which lmdb begins in its own iterators and gets alone. */
export class ReadTransaction {
  #isInRead = false;
  #hasBegun = false;

  /** A read of the snapshot begins or ends. In between is no turn of the event loop, in which lmdb would end it. */
  passRead(isInRead: boolean): void {
    this.#isInRead = isInRead;
    this.#hasBegun = false;
  }

  /** Begins it where it is not known to be open; the snapshot hears of that. */
  ensure(table: { useReadTransaction(): { done(): void } }): void {
    if (this.#hasBegun) return;
    table.useReadTransaction().done();
    this.#hasBegun = this.#isInRead;
  }
}
