import type { Bytes, Tables } from '../environment.ts';
import { FOUND_AT, NativeCursor, type ScannedTable, WITH_VALUES } from '../scan/native-cursor.ts';
import type { ReadTransaction } from '../scan/read-transaction.ts';

/** The blocks of one key, in their order. */
export interface BlockRows {
  /** The id with which each begins, one character for each byte of it; empty for the first one. */
  readonly ids: readonly string[];
  /** How many ids are ahead of each. */
  readonly before: readonly number[];
  /** How many there are in all. */
  readonly total: number;
}

/**
 * Reads the blocks of a key by a cursor of LMDB, because there may be thousands: an iterator makes two buffers for each,
 * whose memory the runtime gives back late. To be called inside `Snapshot.read`.
 */
export class BlockScan {
  readonly #table: Bytes;
  readonly #cursor: NativeCursor<Buffer>;

  constructor({ listings }: Tables, transaction: ReadTransaction) {
    this.#table = listings;
    this.#cursor = new NativeCursor(listings as unknown as ScannedTable<Buffer>, transaction);
  }

  /** @param first the key of the first block: those of the others begin with it */
  rows(first: Buffer): BlockRows | undefined {
    const bytes = this.#cursor.begin(first) as Buffer;
    bytes.set(first, 0);
    let size = this.#cursor.seek(first.length, WITH_VALUES);
    if (size !== first.length || bytes.compare(first, 0, size, FOUND_AT, FOUND_AT + size) !== 0) return undefined;
    // a get that needs more room replaces the bytes that values are read into
    const value = this.#table.getBinaryFast(first) as Buffer;
    const ids: string[] = [];
    const before: number[] = [];
    let total = 0;
    do {
      ids.push(bytes.toString('latin1', FOUND_AT + first.length, FOUND_AT + size));
      before.push(total);
      total += value.readUInt32BE(0);
      size = this.#cursor.next();
    } while (size > first.length && bytes.compare(first, 0, first.length, FOUND_AT, FOUND_AT + first.length) === 0);
    return { ids, before, total };
  }
}
