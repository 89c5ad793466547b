import type { z } from 'zod';
import type {
  Change,
  CountingDefinition,
  Engine,
  ListingDefinition,
  Precondition,
  RecordEntry,
  RecordWrite,
  Store,
} from '#engine';
import { firstTime, timeKey } from '../../platform/index.ts';

/** Keys of one record, by the name of their index. */
export type Keys = Readonly<Record<string, string>>;

/** What there is to say about records of one kind. */
export interface RecordDescription<Document> {
  /** Where they are in a store. No two kinds share one. */
  readonly collection: string;
  /** What one of them is, for operators, who read it in `src/docs/records.md`. */
  readonly holds: string;
  /** What a document looks like. `relata verify` holds each stored one to it. */
  readonly schema: z.ZodType<Document>;
  /** Keys that no two records share. */
  readonly unique?: (document: Document, id: string) => Keys;
  /** Other keys that records are found by. An index whose name begins with `#` also counts them. */
  readonly indexes?: (document: Document, id: string) => Keys;
  /** How their lists are kept in the store: orders, what a search looks through, what lists filter by. */
  readonly listing?: Omit<ListingDefinition, 'collection'>;
  /**
   * Indexes whose ids the store counts, so that a list by one of them has its total, and any of its pages, at once; `''`
   * for all records.
   */
  readonly counted?: CountingDefinition['indexes'];
  /** When a record is over (milliseconds since the epoch), and the index of it. The sweep removes it some time later. */
  readonly expires?: { readonly index: 'expires' | 'until'; readonly at: (document: Document) => number };
  /** Whether it only says when or how often something is used. Nothing is due earlier because of it. */
  readonly tellsOfUse?: true;
  /** The index by the id of the user that a record is about, if it goes in the command that deletes the user. */
  readonly userKey?: 'id' | { readonly index: string };
  /** What an export of the organization has of one, without its secrets. Kinds without this are not exported. */
  readonly exported?: (document: Document) => object;
}

/** What operators are told of a kind of record. */
export interface RecordFacts {
  readonly holds: string;
  readonly isExported: boolean;
  /** Whether the sweep removes those that are over. */
  readonly expires: boolean;
  /** Whether no job has to look at an organization because of one. */
  readonly tellsOfUse: boolean;
  /** Whether one goes with the user that it is about. */
  readonly goesWithUser: boolean;
}

export interface ExportedRecord {
  readonly collection: string;
  readonly id: string;
  readonly document: object;
}

/** Most records of one kind that go with a user. Ids of users are never given again: what is left means nothing. */
const OF_USER_MAX = 10_000;

type At = { readonly name: string };
type Version = Pick<RecordEntry<unknown>, 'id' | 'version'>;

/** Records of one kind: how they are read, written and named in preconditions. Reads are called inside `Engine.read`. */
export class RecordKind<Document> {
  readonly collection: string;
  readonly schema: z.ZodType<Document>;
  /** How the store lists them; `undefined` where it does not. */
  readonly listing: ListingDefinition | undefined;
  /** Which of its ids the store counts; `undefined` where none. */
  readonly counting: CountingDefinition | undefined;
  readonly #description: RecordDescription<Document>;

  constructor(description: RecordDescription<Document>) {
    this.#description = description;
    this.collection = description.collection;
    this.schema = description.schema;
    this.listing = description.listing && { collection: this.collection, ...description.listing };
    this.counting = description.counted && { collection: this.collection, indexes: description.counted };
  }

  get facts(): RecordFacts {
    const { holds, exported, expires, tellsOfUse = false, userKey } = this.#description;
    return {
      holds,
      isExported: exported !== undefined,
      expires: expires !== undefined,
      tellsOfUse,
      goesWithUser: userKey !== undefined,
    };
  }

  get({ records }: Pick<Store, 'records'>, id: string): RecordEntry<Document> | undefined {
    return records.get<Document>(this.collection, id);
  }

  byUnique({ records }: Pick<Store, 'records'>, index: string, key: string): RecordEntry<Document> | undefined {
    return records.byUnique<Document>(this.collection, index, key);
  }

  /** In the order of ids, at most 1,000; continue with the last id as `after`. */
  list(
    { records }: Pick<Store, 'records'>,
    options?: Parameters<Store['records']['list']>[1],
  ): RecordEntry<Document>[] {
    return records.list<Document>(this.collection, options);
  }

  /** Those of some ids that are there. */
  found(store: Pick<Store, 'records'>, ids: readonly string[]): RecordEntry<Document>[] {
    return ids.flatMap((id) => this.get(store, id) ?? []);
  }

  /** How many were ever appended: the number of the last one. */
  appended({ records }: Pick<Store, 'records'>): number {
    return records.appended(this.collection);
  }

  /** All of them, in the order of ids, page by page. */
  *all(store: Pick<Store, 'records'>): Generator<RecordEntry<Document>> {
    for (let after: string | undefined; ; ) {
      const page = this.list(store, after === undefined ? {} : { after });
      yield* page;
      after = page.at(-1)?.id;
      if (after === undefined) return;
    }
  }

  /** Whether this many stand in the store, or more. */
  areAsMany(store: Pick<Store, 'records'>, count: number): boolean {
    let found = 0;
    for (const _ of this.all(store)) if (++found >= count) return true;
    return found >= count;
  }

  index(store: Pick<Store, 'recordIndex'>) {
    return store.recordIndex(this.collection);
  }

  /** Ids of expired records; none where records of this kind never expire. */
  expired(store: Pick<Store, 'recordIndex'>, now: number, limit: number): string[] {
    const { expires } = this.#description;
    return expires === undefined ? [] : this.index(store).idsBelow(expires.index, timeKey(now), limit);
  }

  /** When the first stored record expires, in milliseconds since the epoch; infinity where none ever does. */
  firstOver(store: Pick<Store, 'recordIndex'>): number {
    const { expires } = this.#description;
    return expires === undefined ? Number.POSITIVE_INFINITY : firstTime(this.index(store), expires.index) + 1;
  }

  /** Deletions of the records about a user; none where this kind is about nobody. */
  forget(store: Pick<Store, 'name' | 'recordIndex'>, userId: string): Change[] {
    const { userKey } = this.#description;
    if (userKey === undefined) return [];
    if (userKey === 'id') return [this.delete(store, userId)];
    const ids = this.index(store).ids(userKey.index, userId, { limit: OF_USER_MAX });
    return this.deletions(store, ids);
  }

  /** The records as an export has them, in the order of ids, page by page; each page in a snapshot of its own. */
  *exported(engine: Pick<Engine, 'read'>, store: Pick<Store, 'records'>): Generator<ExportedRecord[]> {
    const { exported } = this.#description;
    if (exported === undefined) return;
    for (let after: string | undefined; ; ) {
      const page = engine.read(() => this.list(store, after === undefined ? {} : { after }));
      if (page.length === 0) return;
      yield page.map(({ id, document }) => ({ collection: this.collection, id, document: exported(document) }));
      after = page.at(-1)?.id;
    }
  }

  /** The stored form: the document with all its keys. */
  write(id: string, document: Document): RecordWrite {
    const { unique, indexes, expires } = this.#description;
    const keys = {
      ...indexes?.(document, id),
      ...(expires === undefined ? {} : { [expires.index]: timeKey(expires.at(document)) }),
    };
    const uniqueKeys = unique?.(document, id) ?? {};
    return {
      collection: this.collection,
      id,
      document,
      ...(Object.keys(keys).length === 0 ? {} : { indexes: keys }),
      ...(Object.keys(uniqueKeys).length === 0 ? {} : { unique: uniqueKeys }),
    };
  }

  put({ name: store }: At, id: string, document: Document): Change {
    return { op: 'put_record', store, record: this.write(id, document) };
  }

  /** Appends a record after all others. It gets its id in the commit; such records have no keys. */
  append({ name: store }: At, document: Document): Change {
    return { op: 'append_record', store, collection: this.collection, document };
  }

  delete({ name: store }: At, id: string): Change {
    return { op: 'delete_record', store, collection: this.collection, id };
  }

  deletions(at: At, ids: readonly string[]): Change[] {
    return ids.map((id) => this.delete(at, id));
  }

  /** Requires that a record has not been written since it was read. */
  same({ name: store }: At, { id, version }: Version): Precondition {
    return { require: 'record_version', store, collection: this.collection, id, version };
  }

  absent({ name: store }: At, id: string): Precondition {
    return { require: 'record_absent', store, collection: this.collection, id };
  }

  /** Requires that fewer than this many are stored: what is put makes one more. */
  fewerThan({ name: store }: At, count: number): Precondition {
    return { require: 'records_at_most', store, collection: this.collection, max: count - 1 };
  }

  /** The same for those that have a key, unique or not. */
  fewerWith({ name: store }: At, [index, text]: readonly [index: string, key: string], count: number): Precondition {
    const key = { index, text };
    return { require: 'records_at_most', store, collection: this.collection, key, except: undefined, max: count - 1 };
  }

  /** Requires that no other record has this key, unique or not. */
  free({ name: store }: At, [index, text]: readonly [index: string, key: string], except?: string): Precondition {
    return { require: 'records_at_most', store, collection: this.collection, key: { index, text }, except, max: 0 };
  }

  /** Requires a record as it was read: at this version, or not at all. */
  asRead(at: At, id: string, entry: Version | undefined): Precondition {
    return entry === undefined ? this.absent(at, id) : this.same(at, entry);
  }
}

export function defineRecord<Document>(description: RecordDescription<Document>): RecordKind<Document> {
  return new RecordKind(description);
}

/** What a document of a kind of record is. */
export type DocumentOf<Kind> = Kind extends RecordKind<infer Document> ? Document : never;

/** A kind of record, whatever its documents are. */
export type AnyRecordKind = Pick<
  RecordKind<unknown>,
  | 'collection'
  | 'schema'
  | 'listing'
  | 'counting'
  | 'facts'
  | 'expired'
  | 'firstOver'
  | 'forget'
  | 'exported'
  | 'index'
  | 'delete'
  | 'deletions'
>;
