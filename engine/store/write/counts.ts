import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordBytes, recordOf } from '../records/stored-record.ts';

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
  const place = recordKey(store, countCollection, id);
  const bytes = tables.records.getBinaryFast(place);
  // nothing else is written there
  return bytes === undefined ? 0 : (recordOf(bytes, place).document as number);
}

interface Known {
  readonly place: Buffer;
  count: number;
}

const KNOWN_MAX = 4_096;

/**
 * The counts that the writer has in memory. They are written once for a transaction, however many records it puts, and
 * forgotten with it when it is rolled back.
 */
export class Counts {
  readonly #tables: Tables;
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<Known>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  add(store: number, id: string, change: 1 | -1): void {
    const name = `${store}\u0001${id}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = { place: recordKey(store, countCollection, id), count: readCount(this.#tables, store, id) };
      this.#known.set(name, known);
    }
    known.count += change;
    this.#changed.add(known);
  }

  /** Belongs to the end of every transaction. */
  flush(): void {
    for (const { place, count } of this.#changed) {
      if (count === 0) this.#tables.records.removeSync(place);
      else this.#tables.records.putSync(place, recordBytes(1, `${count}`));
    }
    this.#changed.clear();
    if (this.#known.size > KNOWN_MAX) this.#known.clear();
  }
}
