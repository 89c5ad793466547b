import type { Bytes } from '../environment.ts';
import { BACKWARDS, FOUND_AT, NativeCursor, type ScannedTable } from './native-cursor.ts';
import type { ReadTransaction } from './read-transaction.ts';

/** lmdb takes no longer key. */
const KEY_MAX = 1978;
const NO_BYTES = Buffer.alloc(0);

export interface KeyPage {
  /** From the end on: the last key first. */
  readonly descending?: boolean | undefined;
  /** How many to pass over. */
  readonly skip?: number | undefined;
  readonly limit: number;
}

/**
 * Reads the first or the last keys of a range of a table whose keys are bytes, without making an iterator: most ranges that
 * are asked about have no key or a few. To be called inside `Snapshot.read`.
 */
export class KeyScan {
  readonly #cursor: NativeCursor<Buffer>;
  #bytes: Buffer = NO_BYTES;

  constructor(table: Bytes, transaction: ReadTransaction) {
    this.#cursor = new NativeCursor(table as unknown as ScannedTable<Buffer>, transaction);
  }

  /**
   * At most `limit` keys from `start` on and before `end`.
   * @param read makes what is kept of a key, from the bytes between two offsets; they are valid until it returns
   */
  keys<Kept>(
    start: Buffer,
    end: Buffer,
    { descending = false, skip = 0, limit }: KeyPage,
    read: (bytes: Buffer, from: number, to: number) => Kept,
  ): Kept[] {
    const found: Kept[] = [];
    if (limit <= 0) return found;
    let size = descending ? this.#seek(end, BACKWARDS, skip) : this.#seek(start, 0, skip);
    for (; size > 0; size = this.#cursor.next()) {
      const to = FOUND_AT + size;
      if (descending ? this.#compare(to, start) < 0 : this.#compare(to, end) >= 0) break;
      if (found.push(read(this.#bytes, FOUND_AT, to)) >= limit) break;
    }
    return found;
  }

  /** Are so many keys from `start` on and before `end`? About 50 ns for each of that number, also where the range is shorter. */
  hasMany(start: Buffer, end: Buffer, count: number): boolean {
    if (count <= 0) return true;
    const size = this.#seek(start, 0, count - 1);
    return size > 0 && this.#compare(FOUND_AT + size, end) < 0;
  }

  /** Does a key begin with this? */
  has(prefix: Buffer): boolean {
    const size = this.#seek(prefix);
    if (size < prefix.length) return false;
    return this.#bytes.compare(prefix, 0, prefix.length, FOUND_AT, FOUND_AT + prefix.length) === 0;
  }

  /** Is there the key that the first bytes are? */
  hasKey(key: Buffer, size: number): boolean {
    const found = this.#seek(key, 0, 0, size);
    return found === size && this.#bytes.compare(key, 0, size, FOUND_AT, FOUND_AT + size) === 0;
  }

  /** The key that was found, with another one. */
  #compare(to: number, key: Buffer): number {
    return this.#bytes.compare(key, 0, key.length, FOUND_AT, to);
  }

  /** The size of the key that is found; 0 where there is none. */
  #seek(key: Buffer, direction = 0, skip = 0, size = key.length): number {
    if (key.length > KEY_MAX) throw new RangeError(`a key has at most ${KEY_MAX} bytes, and this one ${key.length}`);
    this.#bytes = this.#cursor.begin(key) as Buffer;
    this.#bytes.set(key, 0);
    return this.#cursor.seek(size, direction, skip);
  }
}
