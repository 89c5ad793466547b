import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordBytes, recordOf } from './stored-record.ts';

/**
 * How many records have each key of an index, kept by the writer for indexes whose name begins with `#`: they are told
 * at once, however many they are. A count stands among the records, in a collection of its own.
 */
export const countCollection = '$counts';

/** By the name of a collection, how many records were ever appended to it. They are numbered by it. */
export const appendedCollection = '$appended';

export function isCounted(index: string): boolean {
  return index.startsWith('#');
}

export function countId(collection: string, index: string, key: string): string {
  return `${collection}\u0001${index}\u0001${key}`;
}

export function readCount(tables: Tables, store: number, id: string): number {
  return countAt(tables, recordKey(store, countCollection, id));
}

export function readAppended(tables: Tables, store: number, collection: string): number {
  return countAt(tables, recordKey(store, appendedCollection, collection));
}

function countAt(tables: Tables, key: Buffer): number {
  const bytes = tables.records.getBinaryFast(key);
  // nothing else is written there
  return bytes === undefined ? 0 : (recordOf(bytes, key).document as number);
}

interface Known {
  readonly key: Buffer;
  count: number;
}

const KNOWN_MAX = 4_096;

/**
 * Counts that the writer has in memory, of one collection of them. They are written once for a transaction, however many
 * records it puts, and forgotten with it when it is rolled back.
 */
export class Counts {
  readonly #tables: Tables;
  readonly #collection: typeof countCollection | typeof appendedCollection;
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<Known>();

  constructor(tables: Tables, collection: typeof countCollection | typeof appendedCollection) {
    this.#tables = tables;
    this.#collection = collection;
  }

  /** Answers what the count is now. */
  add(store: number, id: string, change: 1 | -1): number {
    const name = `${store}\u0001${id}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      const key = recordKey(store, this.#collection, id);
      known = { key, count: countAt(this.#tables, key) };
      this.#known.set(name, known);
    }
    known.count += change;
    this.#changed.add(known);
    return known.count;
  }

  /** Belongs to the end of every transaction. */
  flush(): void {
    for (const { key, count } of this.#changed) {
      if (count === 0) this.#tables.records.removeSync(key);
      else this.#tables.records.putSync(key, recordBytes(1, `${count}`));
    }
    this.#changed.clear();
    if (this.#known.size > KNOWN_MAX) this.#known.clear();
  }
}
