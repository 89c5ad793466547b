import type { PackedRecord } from '../../log/command.ts';
import type { RecordChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordAt } from '../records/read-records.ts';
import { recordBytes, type StoredRecord } from '../records/stored-record.ts';
import { Counts, countId, isCounted } from './counts.ts';

type Keys = StoredRecord['indexes'] | undefined;
type Keyed = Pick<PackedRecord, 'indexes' | 'unique'>;

const EMPTY = Buffer.alloc(0);
const IF_ABSENT = { noOverwrite: true } as const;

/** Puts and removes records with their keys. `UniqueKeys` has made sure that no two share a unique one. */
export class RecordWriter {
  readonly #tables: Tables;
  readonly #changes: RecordChange[];
  readonly #counts: Counts;

  constructor(tables: Tables, changes: RecordChange[]) {
    this.#tables = tables;
    this.#changes = changes;
    this.#counts = new Counts(tables);
  }

  put(store: number, write: PackedRecord): void {
    const { collection, id } = write;
    const before = this.#putRecord(recordKey(store, collection, id), write);
    if (before !== undefined) this.#removeKeys(store, collection, id, before, write);
    this.#count(store, collection, before?.indexes, write.indexes);
    for (const [index, key] of otherKeys(write.indexes, before?.indexes)) {
      this.#tables.indexes.putSync(recordKey(store, collection, index, key, id), EMPTY);
    }
    for (const [index, key] of otherKeys(write.unique, before?.unique)) {
      this.#tables.uniques.putSync(recordKey(store, collection, index, key), Buffer.from(id));
    }
    this.#changes.push({ store, collection, id, op: 'put' });
  }

  /** Answers what stood there. Most records are new, and looking for what they replace would double the search. */
  #putRecord(place: Buffer, write: PackedRecord): StoredRecord | undefined {
    const { records } = this.#tables;
    if (records.putSync(place, recordBytes(1, write.json, write), IF_ABSENT)) return undefined;
    const before = recordAt(this.#tables, place) as StoredRecord; // it was not absent
    records.putSync(place, recordBytes(before.version + 1, write.json, write));
    return before;
  }

  has(store: number, collection: string, id: string): boolean {
    const last = this.#changes.at(-1);
    // what was put just now needs no search
    const isLast = last?.op === 'put' && last.id === id && last.collection === collection && last.store === store;
    return isLast || this.#tables.records.doesExist(recordKey(store, collection, id));
  }

  delete(store: number, collection: string, id: string): void {
    const place = recordKey(store, collection, id);
    const before = recordAt(this.#tables, place);
    if (before === undefined) return;
    this.#removeKeys(store, collection, id, before, {});
    this.#count(store, collection, before.indexes, undefined);
    this.#tables.records.removeSync(place);
    this.#changes.push({ store, collection, id, op: 'delete' });
  }

  /** Writes what changed in memory. Belongs to the end of every transaction. */
  flush(): void {
    this.#counts.flush();
  }

  #count(store: number, collection: string, before: Keys, after: Keys): void {
    for (const name in before) {
      const was = before[name];
      if (was !== undefined && isCounted(name) && was !== after?.[name]) {
        this.#counts.add(store, countId(collection, name, was), -1);
      }
    }
    for (const name in after) {
      const is = after[name];
      if (is !== undefined && isCounted(name) && is !== before?.[name]) {
        this.#counts.add(store, countId(collection, name, is), 1);
      }
    }
  }

  /** Those that the record does not have any more. */
  #removeKeys(store: number, collection: string, id: string, before: Keyed, after: Keyed): void {
    for (const [index, key] of otherKeys(before.indexes, after.indexes)) {
      this.#tables.indexes.removeSync(recordKey(store, collection, index, key, id));
    }
    for (const [index, key] of otherKeys(before.unique, after.unique)) {
      this.#tables.uniques.removeSync(recordKey(store, collection, index, key));
    }
  }
}

/** Keys that stand in the first and are other ones in the second, or none. */
function otherKeys(keys: Keys, others: Keys): [index: string, key: string][] {
  const all = Object.entries(keys ?? {});
  return others === undefined ? all : all.filter(([index, key]) => others[index] !== key);
}
