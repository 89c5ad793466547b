import { swapKinds } from '../../store/edge-key.ts';
import type { Tables } from '../../store/environment.ts';
import { EdgeScan, type KeySize } from '../../store/scan/edge-scan.ts';
import type { ReadTransaction } from '../../store/scan/read-transaction.ts';
import { TOO_LONG } from './packed-list.ts';

/** A longer list is not kept. */
export const LIST_MAX = 4096;

/** Reads adjacency lists from the indexes. */
export class ListReader {
  /** The list that was read last, from its second word on; its first is the caller's. */
  readonly list = new Int32Array(2 + LIST_MAX * 3);
  readonly #forward: EdgeScan;
  readonly #reverse: EdgeScan;

  constructor(tables: Tables, transaction: ReadTransaction) {
    this.#forward = new EdgeScan(tables.forward, transaction);
    this.#reverse = new EdgeScan(tables.reverse, transaction);
  }

  /** An object's tuples under the first `size` bytes of a key. Answers the length of the list. */
  readForward(store: number, object: number, kinds: number, size: KeySize, max: number): number {
    return this.#read(this.#forward, store, object, kinds, size, max, 1);
  }

  /** A subject's tuples of one shape, as the reverse index has it, behind the first `at` words of the list. */
  readReverse(store: number, subject: number, kinds: number, at: number): number {
    return this.#read(this.#reverse, store, subject, kinds, 12, LIST_MAX, at);
  }

  #read(scan: EdgeScan, store: number, node: number, kinds: number, size: KeySize, max: number, at: number): number {
    const { list } = this;
    const isForward = scan === this.#forward;
    let length = at;
    let group = 0;
    let groupKinds = 0;
    let entries = 0;
    for (let isAtKey = scan.seek(store, node, kinds, size); isAtKey; isAtKey = scan.next()) {
      if (++entries > max) return TOO_LONG;
      if (scan.kinds !== groupKinds || group === 0) {
        groupKinds = scan.kinds;
        list[length] = isForward ? groupKinds : swapKinds(groupKinds);
        group = length + 1;
        list[group] = 0;
        length += 2;
      }
      list[length++] = scan.other;
      list[group] = (list[group] as number) + 1;
    }
    return length;
  }
}
