import { isDeepStrictEqual } from 'node:util';
import { liveStores, nextStore } from '../catalog.ts';
import type { Tables } from '../environment.ts';
import { pack, unpack } from '../layout.ts';
import { isWhole, type ListingProgress, pastPrefix, readProgress } from '../listing/listings.ts';
import { blocksOfStore, idsOfIndex } from './counting-keys.ts';

/** Which ids of a collection's records are counted in blocks, so that they are numbered and found by their number. */
export interface CountingDefinition {
  readonly collection: string;
  /** For each key of these indexes; `''` stands for the ids of all records. */
  readonly indexes: readonly string[];
  /** How many ids a block has on average: a power of two. */
  readonly blockSize?: number;
}

/** A counting of every store of the environment, and how far it is built. */
export interface Counting {
  /** Stands in its keys; never given out again. */
  readonly number: number;
  readonly definition: CountingDefinition;
  /** Stores from this number on were made after it was defined: they need no building. */
  readonly since: number;
  /** Stores before this one are counted, and of this one the ids up to a tail; `null` once all are. */
  readonly built: { readonly store: number; readonly tail: string } | null;
  /** How many ids older stores had when it was defined, and how many of them have been come to. */
  readonly toBuild: number;
  readonly builtCount: number;
}

const COUNTINGS = Buffer.from('countings');
/** Numbers below are those of listings, whose table they share. */
export const FIRST_COUNTING = 0x8000;

export function readCountings({ meta }: Tables): Counting[] {
  const stored = meta.getBinaryFast(COUNTINGS);
  return stored === undefined ? [] : unpack<Counting[]>(stored);
}

export function writeCountings({ meta }: Tables, countings: readonly Counting[]): void {
  meta.putSync(COUNTINGS, pack(countings));
}

/** The counting of an index, where all ids of the store are counted. */
export function wholeCounting(tables: Tables, store: number, collection: string, index: string): Counting | undefined {
  const counting = readCountings(tables).find(({ definition }) => definition.collection === collection);
  if (counting?.definition.indexes.includes(index) !== true) return undefined;
  return isWhole(counting, store) ? counting : undefined;
}

/**
 * Up to which tail the ids of a store are counted, inclusive; `undefined` where all are, `null` where none is.
 * Tails have one character for each byte, so that they are compared as bytes are.
 */
export function countedUpTo(counting: Counting, store: number): string | null | undefined {
  if (isWhole(counting, store)) return undefined;
  return store === counting.built?.store ? counting.built.tail : null;
}

/**
 * Keeps the counts of these indexes from now on, in place of what was counted of their collections before. What stands
 * in the stores already is counted in steps: see `CountingWriter.step`. Collections that are not named stay as they are.
 */
export function defineCountings(tables: Tables, definitions: readonly CountingDefinition[]): void {
  const known = readCountings(tables);
  const isKnown = (definition: CountingDefinition): boolean =>
    known.some((counting) => isDeepStrictEqual(counting.definition, definition));
  const added = definitions.filter((definition) => !isKnown(definition));
  if (added.length === 0) return;
  tables.root.transactionSync(() => {
    const replaced = known.filter(({ definition }) =>
      added.some(({ collection }) => collection === definition.collection),
    );
    for (const counting of replaced) removeBlocks(tables, counting);
    let number = Math.max(FIRST_COUNTING, ...known.map((counting) => counting.number));
    const since = nextStore(tables);
    const made = added.map((definition): Counting => {
      const toBuild = countIds(tables, definition);
      const built = toBuild === 0 ? null : { store: 0, tail: '' };
      return { number: ++number, definition, since, built, toBuild, builtCount: 0 };
    });
    writeCountings(tables, [...known.filter((counting) => !replaced.includes(counting)), ...made]);
  });
}

/** There is one for some thousand ids. */
function removeBlocks(tables: Tables, { number }: Counting): void {
  for (const store of liveStores(tables)) {
    const keys = Array.from(tables.listings.getKeys(blocksOfStore(number, store)), Buffer.from);
    for (const key of keys) tables.listings.removeSync(key);
  }
}

function countIds(tables: Tables, { collection, indexes }: CountingDefinition): number {
  let count = 0;
  for (const store of liveStores(tables)) {
    for (const index of indexes) {
      const { table, prefix } = idsOfIndex(tables, { store, collection, index });
      count += table.getKeysCount({ start: prefix, end: pastPrefix(prefix) });
    }
  }
  return count;
}

/** What is being built for lists, and after that what is being counted; `undefined` where there is nothing to do. */
export function buildProgress(tables: Tables): ListingProgress | undefined {
  const counting = readCountings(tables).find(({ built }) => built !== null);
  if (counting === undefined) return readProgress(tables);
  const { definition, builtCount, toBuild } = counting;
  const { collection } = definition;
  return (
    readProgress(tables) ?? { collection, listed: Math.min(builtCount, toBuild), records: toBuild, work: 'counts' }
  );
}
