import type { PackedRecord } from '../../log/command.ts';
import type { RecordChange } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordBytes, type StoredRecord } from '../record-text.ts';
import { recordAt } from '../records.ts';
import { Counts, countId, isCounted } from './counts.ts';

type Indexes = StoredRecord['indexes'];

const EMPTY = Buffer.alloc(0);

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
    const place = recordKey(store, write.collection, write.id);
    const before = recordAt(this.#tables, place);
    if (before !== undefined) this.#removeKeys(store, write.collection, write.id, before);
    this.#count(store, write.collection, before?.indexes, write.indexes);
    const { indexes, unique } = write;
    const version = (before?.version ?? 0) + 1;
    const bytes = recordBytes(
      { version, ...(indexes === undefined ? {} : { indexes }), ...(unique === undefined ? {} : { unique }) },
      write.json,
    );
    this.#tables.records.putSync(place, bytes);
    for (const [index, key] of Object.entries(write.indexes ?? {})) {
      this.#tables.indexes.putSync(recordKey(store, write.collection, index, key, write.id), EMPTY);
    }
    for (const [index, key] of Object.entries(write.unique ?? {})) {
      this.#tables.uniques.putSync(recordKey(store, write.collection, index, key), Buffer.from(write.id));
    }
    this.#changes.push({ store, collection: write.collection, id: write.id, op: 'put' });
  }

  delete(store: number, collection: string, id: string): void {
    const place = recordKey(store, collection, id);
    const before = recordAt(this.#tables, place);
    if (before === undefined) return;
    this.#removeKeys(store, collection, id, before);
    this.#count(store, collection, before.indexes, undefined);
    this.#tables.records.removeSync(place);
    this.#changes.push({ store, collection, id, op: 'delete' });
  }

  /** Writes what changed in memory. Belongs to the end of every transaction. */
  flush(): void {
    this.#counts.flush();
  }

  #count(store: number, collection: string, before: Indexes, after: Indexes): void {
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

  #removeKeys(store: number, collection: string, id: string, record: StoredRecord): void {
    for (const [index, key] of Object.entries(record.indexes ?? {})) {
      this.#tables.indexes.removeSync(recordKey(store, collection, index, key, id));
    }
    for (const [index, key] of Object.entries(record.unique ?? {})) {
      this.#tables.uniques.removeSync(recordKey(store, collection, index, key));
    }
  }
}
