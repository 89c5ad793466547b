/** No stretch of a read transaction has this number. */
export const NEVER = -1;

/** What is needed of any table to begin lmdb's read transaction. lmdb's types do not have it. */
export interface ReadTable {
  /** Has lmdb begin its read transaction where it has ended the last one. */
  ensureReadTxn(): void;
}

/** What a thread's snapshot says of lmdb's read transaction, which lmdb begins in its own iterators and gets alone. */
export class ReadTransaction {
  /** Counts lmdb's read transactions: a cursor that was bound to one in the same stretch is bound to it still. */
  stretch = 0;
  #isInRead = false;
  #hasBegun = false;

  /** A read of the snapshot begins or ends. In between is no turn of the event loop, in which lmdb would end it. */
  passRead(isInRead: boolean): void {
    this.#isInRead = isInRead;
    this.#hasBegun = false;
  }

  /** lmdb has begun another. It tells the snapshot of each. */
  end(): void {
    this.stretch++;
    this.#hasBegun = false;
  }

  /** Begins it where it is not known to be open; the snapshot hears of that. */
  ensure(table: ReadTable): void {
    if (this.#hasBegun) return;
    table.ensureReadTxn();
    this.#hasBegun = this.#isInRead;
  }
}
