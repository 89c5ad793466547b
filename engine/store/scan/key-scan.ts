import type { Bytes } from '../environment.ts';
import { FOUND_AT, NativeCursor, type ScannedTable } from './native-cursor.ts';
import type { ReadTransaction } from './read-transaction.ts';

/** lmdb takes no longer key. */
const KEY_MAX = 1978;
const NO_BYTES = Buffer.alloc(0);

/**
 * Reads the first keys of a range of a table whose keys are bytes, without making an iterator: most ranges that are asked
 * about have no key or a few. To be called inside `Snapshot.read`.
 */
export class KeyScan {
  readonly #cursor: NativeCursor<Buffer>;
  #bytes: Buffer = NO_BYTES;

  constructor(table: Bytes, transaction: ReadTransaction) {
    this.#cursor = new NativeCursor(table as unknown as ScannedTable<Buffer>, transaction);
  }

  /**
   * At most `limit` keys from `start` on and before `end`, in their order.
   * @param read makes what is kept of a key, from the bytes between two offsets; they are valid until it returns
   */
  keys<Kept>(
    start: Buffer,
    end: Buffer,
    limit: number,
    read: (bytes: Buffer, from: number, to: number) => Kept,
  ): Kept[] {
    const found: Kept[] = [];
    if (limit <= 0) return found;
    for (let size = this.#seek(start); size > 0; size = this.#cursor.next()) {
      const to = FOUND_AT + size;
      if (this.#bytes.compare(end, 0, end.length, FOUND_AT, to) >= 0) break;
      if (found.push(read(this.#bytes, FOUND_AT, to)) >= limit) break;
    }
    return found;
  }

  /** Does a key begin with this? */
  has(prefix: Buffer): boolean {
    const size = this.#seek(prefix);
    if (size < prefix.length) return false;
    return this.#bytes.compare(prefix, 0, prefix.length, FOUND_AT, FOUND_AT + prefix.length) === 0;
  }

  /** The size of the first key from this one on; 0 where there is none. */
  #seek(key: Buffer): number {
    if (key.length > KEY_MAX) throw new RangeError(`a key has at most ${KEY_MAX} bytes, and this one ${key.length}`);
    this.#bytes = this.#cursor.begin(key) as Buffer;
    this.#bytes.set(key, 0);
    return this.#cursor.seek(key.length);
  }
}
