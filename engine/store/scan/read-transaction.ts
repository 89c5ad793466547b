/** No stretch of a read transaction has this number. */
export const NEVER = -1;

/** What a thread's snapshot says of lmdb's read transaction, which lmdb begins in its own iterators and gets alone. */
export class ReadTransaction {
  /**
   * Counts the stretches in which no other transaction can begin: a cursor that was bound to the transaction in the same
   * one is bound to it still.
   */
  stretch = 0;
  #isInRead = false;
  #hasBegun = false;

  /** A read of the snapshot begins or ends. In between is no turn of the event loop, in which lmdb would end it. */
  passRead(isInRead: boolean): void {
    this.#isInRead = isInRead;
    this.end();
  }

  /** lmdb ended its read transaction, or has begun another. */
  end(): void {
    this.stretch++;
    this.#hasBegun = false;
  }

  /** Begins it where it is not known to be open; the snapshot hears of that. */
  ensure(table: { useReadTransaction(): { done(): void } }): void {
    if (this.#hasBegun) return;
    this.stretch++;
    table.useReadTransaction().done();
    this.#hasBegun = this.#isInRead;
  }
}
