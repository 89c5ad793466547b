import { type EdgeKey, edgeKeyEncoder } from '../edge-key.ts';
import type { Edges } from '../environment.ts';
import { FOUND_AT, NativeCursor } from './native-cursor.ts';
import type { ReadTransaction } from './read-transaction.ts';

/**
 * Walks over the keys of an index of tuples from a given one on, as `getKeys` does, without making an iterator for each
 * walk: most lists have two or three tuples. It must be done before another walk begins.
 */
export class EdgeScan {
  readonly #cursor: NativeCursor<EdgeKey>;
  #bytes: Uint8Array | undefined;

  constructor(table: Edges, transaction: ReadTransaction) {
    this.#cursor = new NativeCursor(table, transaction);
  }

  /** The first key from this one on is in `scanned`; false where there is none. */
  seek(key: EdgeKey): boolean {
    this.#bytes = this.#cursor.begin(key);
    return this.#take(this.#cursor.seek(edgeKeyEncoder.writeKey(key, this.#bytes, 0)));
  }

  next(): boolean {
    return this.#take(this.#cursor.next());
  }

  #take(size: number): boolean {
    if (size === 0) return false;
    edgeKeyEncoder.readKey(this.#bytes as Uint8Array, FOUND_AT);
    return true;
  }
}
