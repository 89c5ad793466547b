import type { NameTable } from '../../store/name-table.ts';
import type { BlockCache } from '../graph/block-cache.ts';
import { Viewer } from '../kept/viewer.ts';
import type { View } from '../kept/views.ts';
import { ComingNames } from './coming-names.ts';
import { TOGETHER_MAX } from './read-each.ts';

/**
 * Reads what checks will look at, before they are asked: for who has several that have come together, each of another
 * store. With many stores nearly nothing is in a processor's caches. Step by step, in each step all questions wait for
 * memory at the same time, and not one after another. A step is one loop that reads what the step before it has found
 * and does next to nothing else. Nothing is decided by what is read here, and nothing is kept.
 */
export class LookAhead {
  readonly #stores: (Viewer | undefined)[] = new Array(TOGETHER_MAX).fill(undefined);
  readonly #views: (View | undefined)[] = new Array(TOGETHER_MAX).fill(undefined);
  readonly #froms = new Int32Array(TOGETHER_MAX);
  readonly #tos = new Int32Array(TOGETHER_MAX);
  readonly #names: ComingNames;
  #count = 0;
  /** Uses what is read: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(names: NameTable, lists: BlockCache) {
    this.#names = new ComingNames(names, lists, TOGETHER_MAX);
  }

  /** A question that is going to be asked of a store, in octets from one offset to another; more than 32 are left out. */
  add(store: Viewer, from: number, to: number): void {
    const index = this.#count;
    if (index === TOGETHER_MAX) return;
    this.#stores[index] = store;
    this.#froms[index] = from;
    this.#tos[index] = to;
    this.#count++;
  }

  /**
   * Looks at all that was added, and forgets it.
   * @param octets of all questions, in JSON
   * @returns how many names and lists were looked at
   */
  read(octets: Uint8Array): number {
    const count = this.#count;
    this.#count = 0;
    this.#readViews(count);
    this.#readPlans(count);
    for (let index = 0; index < count; index++) {
      const view = this.#views[index];
      if (view === undefined) continue;
      this.#names.add(view.number, octets, this.#froms[index] as number, this.#tos[index] as number);
    }
    for (let index = 0; index < count; index++) this.#stores[index] = this.#views[index] = undefined;
    return this.#names.read();
  }

  #readViews(count: number): void {
    let read = 0;
    for (let index = 0; index < count; index++) this.#views[index] = Viewer.lastOf(this.#stores[index] as Viewer);
    for (let index = 0; index < count; index++) read ^= this.#views[index]?.isKept === true ? 1 : 0;
    this.#hasRead[0] = read;
  }

  #readPlans(count: number): void {
    let read = 0;
    for (let index = 0; index < count; index++) {
      const view = this.#views[index];
      read ^= (view?.suspended.isEmpty === true ? 1 : 0) ^ (view?.latest?.types === undefined ? 0 : 1);
    }
    for (let index = 0; index < count; index++) read ^= this.#views[index]?.latest?.types.touch() ?? 0;
    this.#hasRead[0] = read;
  }
}
