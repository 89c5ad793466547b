import * as lmdb from 'lmdb';
import { NEVER, type ReadTable, type ReadTransaction } from './read-transaction.ts';

/** The calls under lmdb's iterators. Its types do not have them. */
interface NativeCalls {
  /** Answers the size of the key that is found, 0 where there is none, and an error below 0. */
  position(cursor: number, flags: number, offset: number, keyBytes: number, endAddress: number): number;
  iterate(cursor: number): number;
}

const { position, iterate } = (lmdb as unknown as { readonly nativeAddon: NativeCalls }).nativeAddon;

/** lmdb's flag for a cursor that was used before: it is bound to the read transaction that is open now. */
const RENEW_CURSOR = 0x2000;
/** lmdb's flags for the last key before the sought one, from which `next` goes on backwards. */
export const BACKWARDS = 0x400 | 0x10000;
/** lmdb's flag for a cursor that also reads the value of each key, into the bytes that gets of the thread read into. */
export const WITH_VALUES = 0x100;
/** lmdb's name for no such key. */
const NOT_FOUND = -30798;

/** Where lmdb puts the key that it found, in the bytes from which it took the sought one. */
export const FOUND_AT = 32;

/** What a scan uses of a table, some of which lmdb's types do not have. */
export interface ScannedTable<Key> extends ReadTable {
  writeKey: (key: Key, target: Uint8Array, position: number) => number;
  doesExist(key: Key): boolean;
  getKeys(range: { readonly limit: number }): Iterable<unknown>;
  /** With the cursor that lmdb keeps for its next iterator. */
  readonly db: { availableCursor?: { readonly address: number } | null };
}

/**
 * Finds keys of a table by a cursor of its own, which lmdb has made for an iterator: to make an iterator takes as long as
 * to find a key. Within one read transaction the cursor stays on its page, where lmdb looks first: a key on the same page is found
 * without a search from the root.
 */
export class NativeCursor<Key> {
  readonly #table: ScannedTable<Key>;
  readonly #transaction: ReadTransaction;
  /** Its address is valid as long as the object is held. */
  #cursor: { readonly address: number } | undefined;
  /** Not a number at first: one that is always a fraction for the runtime would be copied for each call. */
  #address: number | undefined = undefined;
  /** What `ReadTransaction.stretch` was when the cursor was bound to the read transaction. */
  #stretch = NEVER;
  #flags = 0;
  /** From which lmdb reads the keys that are sought: one buffer for the thread. */
  #bytes: Uint8Array | undefined;

  constructor(table: ScannedTable<Key>, transaction: ReadTransaction) {
    this.#table = table;
    this.#transaction = transaction;
  }

  /**
   * Where the sought key is to be written, from the first byte on. Any key will do to find out where that is.
   * @param isNear may the sought key be on the page where the cursor is? A key that is not is found sooner without a look
   *   at the first and the last one of that page
   */
  begin(key: Key, isNear = true): Uint8Array {
    const transaction = this.#transaction;
    transaction.ensure(this.#table);
    this.#cursor ??= this.#open();
    this.#flags = isNear && this.#stretch === transaction.stretch ? 0 : RENEW_CURSOR;
    this.#stretch = transaction.stretch;
    this.#bytes ??= this.#findBytes(key);
    return this.#bytes;
  }

  /**
   * The size of the first key from the sought one on, or of the last one before it, which is in the same bytes at `FOUND_AT`;
   * 0 where there is none.
   * @param flags `BACKWARDS`, `WITH_VALUES` or both, which hold for `next` as well
   * @param skip how many keys to pass over, which takes about 50 ns each
   */
  seek(size: number, flags = 0, skip = 0): number {
    return sizeOf(position(this.#address as number, this.#flags | flags, skip, size, 0));
  }

  next(): number {
    return sizeOf(iterate(this.#address as number));
  }

  /** What lmdb hands to the encoder of keys. */
  #findBytes(key: Key): Uint8Array {
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

  /** An iterator that is done leaves its cursor for the next one, which makes another where this one is taken. */
  #open(): { readonly address: number } {
    const { db } = this.#table;
    for (const _ of this.#table.getKeys({ limit: 1 })) break;
    const cursor = db.availableCursor;
    if (!cursor) throw new Error('lmdb has no cursor to lend');
    db.availableCursor = null;
    this.#address = cursor.address;
    return cursor;
  }
}

function sizeOf(found: number): number {
  if (found >= 0) return found;
  if (found === NOT_FOUND) return 0;
  throw new Error(`lmdb could not read an index: error ${found}`);
}
