import type { ListingDefinition } from '../command/listing-definition.ts';
import { Viewer } from '../evaluate/kept/viewer.ts';
import type { Reader } from '../evaluate/reader.ts';
import { recordKey } from '../store/layout.ts';
import { readAppended } from '../store/records/counts.ts';
import {
  idsByIndex,
  type RangeOptions,
  type RecordEntry,
  readUnique,
  recordsById,
} from '../store/records/read-records.ts';
import { ListingReader } from './listing-reader.ts';

const PAGE_MAX = 1000;

/** Records of one store. Documents come back as they were put; the caller names their type. */
export class RecordReader {
  readonly #reader: Reader;
  readonly #store: string;
  readonly #viewer: Viewer;
  readonly #clock: () => number;

  constructor(reader: Reader, store: string, viewer: Viewer, clock: () => number) {
    this.#reader = reader;
    this.#store = store;
    this.#viewer = viewer;
    this.#clock = clock;
  }

  get<T>(collection: string, id: string): RecordEntry<T> | undefined {
    return this.#read((store) => this.#entry<T>(store, collection, id));
  }

  byUnique<T>(collection: string, index: string, key: string): RecordEntry<T> | undefined {
    return this.#read((store) => {
      const id = readUnique(this.#reader.tables, store, collection, index, key);
      return id === undefined ? undefined : this.#entry<T>(store, collection, id);
    });
  }

  /** In the order of ids; continue with the last id as `after`. */
  list<T>(collection: string, options: Partial<RangeOptions> = {}): RecordEntry<T>[] {
    return this.#read((store) => {
      const entries: RecordEntry<T>[] = [];
      // most collections of most stores are empty, and an iterator that finds nothing costs as much as one that finds something
      if (!this.#reader.recordKeys.has(recordKey(store, collection, ''))) return entries;
      for (const { id, record } of recordsById(this.#reader.tables, store, collection, bounded(options))) {
        entries.push({ id, version: record.version, document: record.document as T });
      }
      return entries;
    });
  }

  /** How many records were ever appended to a collection (`append_record`): the number of the last one. */
  appended(collection: string): number {
    return this.#read((store) => readAppended(this.#reader.tables, store, collection));
  }

  /** Records with one key of an index (all of them, in the index's order, without `key`), and where to continue. */
  byIndex<T>(
    collection: string,
    index: string,
    key: string | undefined,
    options: Partial<RangeOptions> = {},
  ): { readonly entries: RecordEntry<T>[]; readonly position: string | undefined } {
    return this.#read((store) => {
      const entries: RecordEntry<T>[] = [];
      let position: string | undefined;
      const found = [...idsByIndex(this.#reader.tables, store, collection, index, key, bounded(options))];
      for (const each of found) {
        const entry = this.#entry<T>(store, collection, each.id);
        if (entry !== undefined) entries.push(entry);
        position = each.position;
      }
      return { entries, position };
    });
  }

  /** Pages of a collection, once the engine was told of the definition: `Engine.defineListing`. */
  listing(definition: ListingDefinition): ListingReader {
    return new ListingReader(this.#reader, this.#store, definition, this.#clock);
  }

  #entry<T>(store: number, collection: string, id: string): RecordEntry<T> | undefined {
    const record = this.#reader.records.read(store, collection, id);
    if (record === undefined) return undefined;
    return { id, version: record.version, document: record.document as T };
  }

  #read<T>(task: (store: number) => T): T {
    return this.#reader.read(() => task(Viewer.viewOf(this.#viewer).number));
  }
}

function bounded(options: Partial<RangeOptions>): RangeOptions {
  const limit = Math.max(1, Math.min(options.limit ?? PAGE_MAX, PAGE_MAX));
  return options.after === undefined ? { limit } : { limit, after: options.after };
}
