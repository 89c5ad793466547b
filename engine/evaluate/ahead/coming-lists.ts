import type { BlockCache } from '../graph/block-cache.ts';
import { readEach } from './read-each.ts';

/** The lists of objects that checks will begin with, and the first list behind each. */
export class ComingLists {
  readonly #lists: BlockCache;
  readonly #stores: Int32Array;
  readonly #nodes: Int32Array;
  readonly #places: Int32Array;
  #count = 0;
  /** Uses what is read: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(lists: BlockCache, most: number) {
    this.#lists = lists;
    this.#stores = new Int32Array(most);
    this.#nodes = new Int32Array(most);
    this.#places = new Int32Array(most);
  }

  add(store: number, node: number): void {
    const index = this.#count++;
    this.#stores[index] = store;
    this.#nodes[index] = node;
    this.#places[index] = this.#lists.placeOf(store, node, 0);
  }

  /**
   * Reads where the lists stand, then where those of the first nodes that they name do, and forgets them.
   * @returns how many places were read
   */
  read(): number {
    const count = this.#count;
    this.#count = 0;
    let read = readEach(this.#lists.data, this.#places, count);
    let next = 0;
    for (let index = 0; index < count; index++) {
      const store = this.#stores[index] as number;
      const node = this.#lists.firstNamed(store, this.#nodes[index] as number, 0);
      if (node !== 0) this.#places[next++] = this.#lists.placeOf(store, node, 0);
    }
    read ^= readEach(this.#lists.data, this.#places, next);
    this.#hasRead[0] = read;
    return count + next;
  }
}
