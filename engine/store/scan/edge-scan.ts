import { type EdgeKey, edgeKey } from '../edge-key.ts';
import type { Edges } from '../environment.ts';
import { FOUND_AT, NativeCursor } from './native-cursor.ts';
import type { ReadTransaction } from './read-transaction.ts';

/** A page has the keys of some forty nodes: two that are further apart are seldom on one page. */
const NEAR = 32;
const ANY_KEY = edgeKey();
const NO_BYTES: DataView = new DataView(new ArrayBuffer(FOUND_AT + 16));

/** Bytes of a key: to the end of the node, of the first of the kinds, or of both. */
export type KeySize = 8 | 10 | 12;

/**
 * Walks over the keys of an index of tuples that begin alike, without making an iterator for each walk: most lists have
 * two or three tuples. A walk must be done before another one begins. Numbers are as an `Int32Array` has them.
 */
export class EdgeScan {
  /** Of the key where the walk is. */
  kinds = 0;
  other = 0;
  readonly #cursor: NativeCursor<EdgeKey>;
  #view = NO_BYTES;
  #store = 0;
  #node = 0;
  #wanted = 0;
  /** Which bits of the kinds are the same in all keys of the walk. */
  #mask = 0;

  constructor(table: Edges, transaction: ReadTransaction) {
    this.#cursor = new NativeCursor(table, transaction);
  }

  /** Goes to the first key that begins with so many bytes of this one; false where there is none. */
  seek(store: number, node: number, kinds: number, size: KeySize): boolean {
    const isNear = this.#store === (store | 0) && Math.abs(this.#node - (node | 0)) <= NEAR;
    const bytes = this.#cursor.begin(ANY_KEY, isNear);
    if (this.#view === NO_BYTES) this.#view = new DataView(bytes.buffer, bytes.byteOffset, FOUND_AT + 16);
    const view = this.#view;
    this.#store = store | 0;
    this.#node = node | 0;
    this.#mask = size === 8 ? 0 : size === 10 ? 0xffff << 16 : -1;
    this.#wanted = kinds & this.#mask;
    view.setInt32(0, this.#store);
    view.setInt32(4, this.#node);
    view.setInt32(8, this.#wanted);
    return this.#isAlike(this.#cursor.seek(size));
  }

  /** Goes to the next one; false where there is none. */
  next(): boolean {
    return this.#isAlike(this.#cursor.next());
  }

  #isAlike(size: number): boolean {
    if (size === 0) return false;
    const view = this.#view;
    if (view.getInt32(FOUND_AT + 4) !== this.#node || view.getInt32(FOUND_AT) !== this.#store) return false;
    const kinds = view.getInt32(FOUND_AT + 8);
    if ((kinds & this.#mask) !== this.#wanted) return false;
    this.kinds = kinds;
    this.other = view.getInt32(FOUND_AT + 12);
    return true;
  }
}
