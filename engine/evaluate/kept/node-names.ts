import { BoundedMap } from '../../bounded-map.ts';
import { nodeName } from '../../store/catalog.ts';
import type { Tables } from '../../store/environment.ts';

/** Some 100 bytes each. */
const NAMES_MAX = 16_384;
const NODES = 2 ** 32;

/**
 * Names of nodes that a thread answers again and again, such as those of groups and roles. A node has its name as long as
 * its store is there, and the number of a store is never given again.
 */
export class NodeNames {
  readonly #tables: Tables;
  readonly #known = new BoundedMap<number, string>(NAMES_MAX);

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  of(store: number, node: number): string {
    const key = store * NODES + node;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = nodeName(this.#tables, store, node);
    // beyond that two keys would be one number
    if (Number.isSafeInteger(key)) this.#known.set(key, name);
    return name;
  }
}
