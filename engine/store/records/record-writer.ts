import type { PackedRecord } from '../../command/command.ts';
import { EngineError } from '../../errors.ts';
import type { RecordChange } from '../change-log.ts';
import type { CountedKey } from '../counting/counting-keys.ts';
import { CountingWriter } from '../counting/counting-writer.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { ListingWriter } from '../listing/listing-writer.ts';
import { appendedCollection, Counts, countCollection, countId, isCounted } from './counts.ts';
import { recordAt } from './read-records.ts';
import { sequenceId } from './sequence-id.ts';
import { endsWithKeys, keysText, recordBytes, recordOf, type StoredRecord, versionOf } from './stored-record.ts';

type Keys = StoredRecord['indexes'] | undefined;
type Keyed = Pick<PackedRecord, 'indexes' | 'unique'>;

const EMPTY = Buffer.alloc(0);
const IF_ABSENT = { noOverwrite: true } as const;

/** Puts and removes records with their keys and listings. `UniqueKeys` has made sure that no two share a unique one. */
export class RecordWriter {
  readonly #tables: Tables;
  readonly #changes: RecordChange[];
  readonly #counts: Counts;
  readonly #appended: Counts;
  readonly listings: ListingWriter;
  readonly countings: CountingWriter;

  constructor(tables: Tables, changes: RecordChange[]) {
    this.#tables = tables;
    this.#changes = changes;
    this.#counts = new Counts(tables, countCollection);
    this.#appended = new Counts(tables, appendedCollection);
    this.listings = new ListingWriter(tables);
    this.countings = new CountingWriter(tables);
  }

  put(store: number, write: PackedRecord): void {
    const { collection, id } = write;
    const key = recordKey(store, collection, id);
    const keys = keysText(write);
    // most records are new, and looking for what they replace would double the search
    const isNew = this.#tables.records.putSync(key, recordBytes(1, write.json, keys), IF_ABSENT);
    if (isNew) this.#putNew(store, write);
    else this.#replace(store, key, write, keys);
    this.listings.put(store, write, isNew);
    this.#changes.push({ store, collection, id, op: 'put' });
  }

  /** Puts a document after all that were ever appended to its collection. */
  append(store: number, collection: string, json: string): void {
    const id = sequenceId(this.#appended.add(store, collection, 1));
    const isNew = this.#tables.records.putSync(recordKey(store, collection, id), recordBytes(1, json), IF_ABSENT);
    if (!isNew) throw new EngineError('conflict', `record ${collection}/${id} was not appended, and stands there`);
    this.countings.added(allIds(store, collection), id);
    this.listings.put(store, { collection, id, json }, isNew);
    this.#changes.push({ store, collection, id, op: 'put' });
  }

  #putNew(store: number, write: PackedRecord): void {
    this.countings.added(allIds(store, write.collection), write.id);
    this.#putKeys(store, write, {});
  }

  /** `keys` is what `keysText` makes of the record's. */
  #replace(store: number, key: Buffer, write: PackedRecord, keys: string): void {
    const { records } = this.#tables;
    const bytes = records.getBinaryFast(key) as Buffer; // it is not absent
    if (endsWithKeys(bytes, keys)) {
      records.putSync(key, recordBytes(versionOf(bytes, key) + 1, write.json, keys));
      return;
    }
    const before = recordOf(bytes, key);
    records.putSync(key, recordBytes(before.version + 1, write.json, keys));
    this.#removeKeys(store, write.collection, write.id, before, write);
    this.#putKeys(store, write, before);
  }

  /** Puts the keys that the record did not have before. */
  #putKeys(store: number, { collection, id, indexes, unique }: PackedRecord, before: Keyed): void {
    this.#count(store, collection, before.indexes, indexes);
    for (const [index, key] of otherKeys(indexes, before.indexes)) {
      this.#tables.indexes.putSync(recordKey(store, collection, index, key, id), EMPTY);
      if (index !== '') this.countings.added({ store, collection, index, key }, id);
    }
    for (const [index, key] of otherKeys(unique, before.unique)) {
      this.#tables.uniques.putSync(recordKey(store, collection, index, key), Buffer.from(id));
    }
  }

  has(store: number, collection: string, id: string): boolean {
    const last = this.#changes.at(-1);
    // what was put just now needs no search
    const isLast = last?.op === 'put' && last.id === id && last.collection === collection && last.store === store;
    return isLast || this.#tables.records.doesExist(recordKey(store, collection, id));
  }

  delete(store: number, collection: string, id: string): void {
    const key = recordKey(store, collection, id);
    const before = recordAt(this.#tables, key);
    if (before === undefined) return;
    this.#removeKeys(store, collection, id, before, {});
    this.#count(store, collection, before.indexes, undefined);
    this.#tables.records.removeSync(key);
    this.countings.removed(allIds(store, collection), id);
    this.listings.delete(store, collection, id);
    this.#changes.push({ store, collection, id, op: 'delete' });
  }

  /** The same, but a record that cannot be read stays, because its keys are not known either. */
  deleteReadable(store: number, collection: string, id: string): void {
    try {
      this.delete(store, collection, id);
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'corrupt')) throw error;
    }
  }

  /** Writes what changed in memory. Belongs to the end of every transaction. */
  flush(): void {
    this.#counts.flush();
    this.#appended.flush();
    this.countings.flush();
    this.listings.flush();
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

  /** Removes the keys that the record does not have any more. */
  #removeKeys(store: number, collection: string, id: string, before: Keyed, after: Keyed): void {
    for (const [index, key] of otherKeys(before.indexes, after.indexes)) {
      this.#tables.indexes.removeSync(recordKey(store, collection, index, key, id));
      if (index !== '') this.countings.removed({ store, collection, index, key }, id);
    }
    for (const [index, key] of otherKeys(before.unique, after.unique)) {
      this.#tables.uniques.removeSync(recordKey(store, collection, index, key));
    }
  }
}

/** The ids of all records of a collection. */
function allIds(store: number, collection: string): CountedKey {
  return { store, collection, index: '', key: '' };
}

/** Keys of the first that are different or absent in the second. */
function otherKeys(keys: Keys, others: Keys): [index: string, key: string][] {
  const all = Object.entries(keys ?? {});
  return others === undefined ? all : all.filter(([index, key]) => others[index] !== key);
}
