import type { Tables } from '../../environment.ts';
import { rowOfEntry } from '../entry-value.ts';
import { entryKey, type ListingScope } from '../listing-keys.ts';
import type { ListingState } from '../listing-state.ts';
import { OrderReader } from '../orders/read-order.ts';

/** The rows of some records, one bit each. */
export interface Subset {
  readonly bits: Uint8Array;
  readonly count: number;
}

interface Known extends ListingScope, Pick<ListingState, 'next' | 'count'> {
  readonly subset: Subset;
}

/** For more than this share of all records, all are read, each for a fourth of what one look-up costs. */
const WALKED_SHARE = 4;

/**
 * Rows of sets of ids that a thread asks for again and again. They stay the same as long as no record comes or goes:
 * then a row has a number more, or there is a row less.
 */
export class Subsets {
  readonly #tables: Tables;
  readonly #known = new WeakMap<ReadonlySet<string>, Known>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** @param ids never changed by who has it */
  of(ids: ReadonlySet<string>, { store, listing }: ListingScope, { next, count }: ListingState): Subset {
    const known = this.#known.get(ids);
    const isCurrent = known?.store === store && known.listing === listing && known.next === next;
    if (isCurrent && known.count === count) return known.subset;
    const subset = this.#read(ids, { store, listing }, { next, count });
    this.#known.set(ids, { store, listing, next, count, subset });
    return subset;
  }

  #read(ids: ReadonlySet<string>, scope: ListingScope, { next, count }: Pick<ListingState, 'next' | 'count'>): Subset {
    const bits = new Uint8Array(Math.ceil(next / 8));
    let found = 0;
    const add = (row: number): void => {
      bits[row >>> 3] = (bits[row >>> 3] as number) | (1 << (row & 7));
      found++;
    };
    if (ids.size * WALKED_SHARE > count) {
      for (const { id, row } of new OrderReader(this.#tables, scope, 0).all()) if (ids.has(id)) add(row);
    } else {
      for (const id of ids) {
        const entry = this.#tables.listings.getBinaryFast(entryKey(scope, 0, undefined, id));
        if (entry !== undefined) add(rowOfEntry(entry));
      }
    }
    return { bits, count: found };
  }
}

export function isInSubset({ bits }: Subset, row: number): boolean {
  return ((bits[row >>> 3] as number) & (1 << (row & 7))) !== 0;
}

export function* rowsOfSubset({ bits }: Subset): Generator<number> {
  for (let at = 0; at < bits.length; at++) {
    const byte = bits[at] as number;
    for (let bit = 0; byte >>> bit !== 0; bit++) if ((byte >>> bit) & 1) yield at * 8 + bit;
  }
}
