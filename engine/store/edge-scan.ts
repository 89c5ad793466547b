import * as lmdb from 'lmdb';
import { type EdgeKey, edgeKeyEncoder } from './edge-key.ts';
import type { Edges } from './environment.ts';

/** The calls under lmdb's iterators. Its types do not have them. */
interface NativeCalls {
  /** Answers the size of the first key from the sought one on, 0 where there is none, and an error below 0. */
  position(cursor: number, flags: number, offset: number, keyBytes: number, endAddress: number): number;
  iterate(cursor: number): number;
}

const { position, iterate } = (lmdb as unknown as { readonly nativeAddon: NativeCalls }).nativeAddon;

/** lmdb's flag for a cursor that was used before: it is bound to the read transaction that is open now. */
const RENEW_CURSOR = 0x2000;
/** Where lmdb puts the key that it found, in the bytes from which it took the sought one. */
const FOUND_AT = 32;
/** lmdb's name for no such key. */
const NOT_FOUND = -30798;

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
  ensure(table: Edges): void {
    if (this.#hasBegun) return;
    table.useReadTransaction().done();
    this.#hasBegun = this.#isInRead;
  }
}

/**
 * Walks over the keys of an index from a given one on, as `getKeys` does, without making an iterator for each walk:
 * most lists have two or three tuples, and to make one takes as long as to find the list. It borrows the cursor that
 * lmdb keeps for its next iterator, and must be done before anything else reads from the table.
 */
export class EdgeScan {
  readonly #table: Edges;
  readonly #transaction: ReadTransaction;
  /** From which lmdb reads the keys that are sought: one buffer for the thread. */
  #bytes: Uint8Array | undefined;
  #cursor = 0;

  constructor(table: Edges, transaction: ReadTransaction) {
    this.#table = table;
    this.#transaction = transaction;
  }

  /** The first key from this one on is in `scanned`; false where there is none. */
  seek(key: EdgeKey): boolean {
    this.#transaction.ensure(this.#table);
    const { db } = this.#table;
    this.#bytes ??= this.#findBytes(key);
    if (!db.availableCursor) this.#openCursor();
    this.#cursor = db.availableCursor?.address ?? 0;
    if (this.#cursor === 0) throw new Error('lmdb has no cursor to lend');
    const size = edgeKeyEncoder.writeKey(key, this.#bytes, 0);
    return this.#take(position(this.#cursor, RENEW_CURSOR, 0, size, 0));
  }

  next(): boolean {
    return this.#take(iterate(this.#cursor));
  }

  #take(size: number): boolean {
    if (size > 0) {
      edgeKeyEncoder.readKey(this.#bytes as Uint8Array, FOUND_AT);
      return true;
    }
    if (size !== 0 && size !== NOT_FOUND) throw new Error(`lmdb could not read an index: error ${size}`);
    return false;
  }

  /** What lmdb hands to the encoder of keys. */
  #findBytes(key: EdgeKey): Uint8Array {
    const table = this.#table;
    const { writeKey } = table;
    let bytes: Uint8Array | undefined;
    table.writeKey = (each, target, position) => {
      bytes = target;
      return writeKey(each, target, position);
    };
    table.doesExist(key);
    table.writeKey = writeKey;
    if (bytes === undefined) throw new Error('lmdb read a key without its encoder');
    return bytes;
  }

  /** lmdb keeps the cursor of an iterator that is done. */
  #openCursor(): void {
    for (const _ of this.#table.getKeys({ limit: 1 })) break;
  }
}
