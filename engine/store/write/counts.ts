import type { Tables } from '../environment.ts';
import { pack, recordKey, unpack } from '../layout.ts';
import type { StoredRecord } from '../records.ts';

/**
 * How many records have each key of an index, kept by the writer for indexes whose name begins with `#`: they are told
 * at once, however many they are. A count stands among the records, in a collection of its own.
 */
export const countCollection = '$counts';

export function isCounted(index: string): boolean {
  return index.startsWith('#');
}

export function countId(collection: string, index: string, key: string): string {
  return `${collection}\u0001${index}\u0001${key}`;
}

export function readCount(tables: Tables, store: number, id: string): number {
  const bytes = tables.records.getBinaryFast(recordKey(store, countCollection, id));
  // nothing else is written there
  return bytes === undefined ? 0 : (unpack<StoredRecord>(bytes).document as number);
}

export function addToCount(tables: Tables, store: number, id: string, change: 1 | -1): void {
  const place = recordKey(store, countCollection, id);
  const count = readCount(tables, store, id) + change;
  if (count === 0) tables.records.removeSync(place);
  else tables.records.putSync(place, pack({ version: 1, document: count } satisfies StoredRecord));
}
