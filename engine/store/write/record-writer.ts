import type { RecordWrite } from '../../log/command.ts';
import type { RecordChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { pack, recordKey } from '../layout.ts';
import { readRecord, type StoredRecord } from '../records.ts';
import { addToCount, countId, isCounted } from './counts.ts';

type Indexes = StoredRecord['indexes'];

const EMPTY = Buffer.alloc(0);

/** Puts and removes records with their keys. `UniqueKeys` has made sure that no two share a unique one. */
export class RecordWriter {
  readonly #tables: Tables;
  readonly #changes: RecordChange[];

  constructor(tables: Tables, changes: RecordChange[]) {
    this.#tables = tables;
    this.#changes = changes;
  }

  put(store: number, write: RecordWrite): void {
    const before = readRecord(this.#tables, store, write.collection, write.id);
    if (before !== undefined) this.#removeKeys(store, write.collection, write.id, before);
    this.#count(store, write.collection, before?.indexes, write.indexes);
    const record: StoredRecord = {
      version: (before?.version ?? 0) + 1,
      document: write.document,
      ...(write.indexes === undefined ? {} : { indexes: write.indexes }),
      ...(write.unique === undefined ? {} : { unique: write.unique }),
    };
    this.#tables.records.putSync(recordKey(store, write.collection, write.id), pack(record));
    for (const [index, key] of Object.entries(write.indexes ?? {})) {
      this.#tables.indexes.putSync(recordKey(store, write.collection, index, key, write.id), EMPTY);
    }
    for (const [index, key] of Object.entries(write.unique ?? {})) {
      this.#tables.uniques.putSync(recordKey(store, write.collection, index, key), Buffer.from(write.id));
    }
    this.#changes.push({ store, collection: write.collection, id: write.id, op: 'put' });
  }

  delete(store: number, collection: string, id: string): void {
    const before = readRecord(this.#tables, store, collection, id);
    if (before === undefined) return;
    this.#removeKeys(store, collection, id, before);
    this.#count(store, collection, before.indexes, undefined);
    this.#tables.records.removeSync(recordKey(store, collection, id));
    this.#changes.push({ store, collection, id, op: 'delete' });
  }

  #count(store: number, collection: string, before: Indexes, after: Indexes): void {
    for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
      const [was, is] = [before?.[name], after?.[name]];
      if (!isCounted(name) || was === is) continue;
      if (was !== undefined) addToCount(this.#tables, store, countId(collection, name, was), -1);
      if (is !== undefined) addToCount(this.#tables, store, countId(collection, name, is), 1);
    }
  }

  #removeKeys(store: number, collection: string, id: string, record: StoredRecord): void {
    for (const [index, key] of Object.entries(record.indexes ?? {})) {
      this.#tables.indexes.removeSync(recordKey(store, collection, index, key, id));
    }
    for (const [index, key] of Object.entries(record.unique ?? {})) {
      this.#tables.uniques.removeSync(recordKey(store, collection, index, key));
    }
  }
}
