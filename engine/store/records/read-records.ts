import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordOf, type StoredRecord, versionOf } from './stored-record.ts';

export interface RecordEntry<T> {
  readonly id: string;
  readonly version: number;
  readonly document: T;
}

/** By the key that `recordKey` makes. */
export function recordAt(tables: Tables, key: Buffer): StoredRecord | undefined {
  const bytes = tables.records.getBinaryFast(key);
  return bytes === undefined ? undefined : recordOf(bytes, key);
}

/** `undefined` where there is no such record. */
export function readVersion(tables: Tables, store: number, collection: string, id: string): number | undefined {
  const key = recordKey(store, collection, id);
  const bytes = tables.records.getBinaryFast(key);
  return bytes === undefined ? undefined : versionOf(bytes, key);
}

export function readUnique(
  tables: Tables,
  store: number,
  collection: string,
  index: string,
  key: string,
): string | undefined {
  const bytes = tables.uniques.getBinaryFast(recordKey(store, collection, index, key));
  return bytes === undefined ? undefined : bytes.toString('utf8', 0, bytes.length);
}

export interface RangeOptions {
  /** Only what sorts after this: a record id, or for an index what `position` gave. */
  readonly after?: string;
  readonly limit: number;
}

/** Records of a collection in the order of their ids. */
export function* recordsById(
  tables: Tables,
  store: number,
  collection: string,
  options: RangeOptions,
): Generator<{ id: string; record: StoredRecord }> {
  const prefix = recordKey(store, collection, '');
  const start = options.after === undefined ? prefix : recordKey(store, collection, `${options.after}\u0001`);
  for (const { key, value } of tables.records.getRange({ start, limit: options.limit })) {
    if (!startsWith(key, prefix)) return;
    yield { id: key.toString('utf8', prefix.length), record: recordOf(value, key) };
  }
}

/** Ids of a collection in their order. */
export function* idsOf(tables: Tables, store: number, collection: string, limit: number): Generator<string> {
  const prefix = recordKey(store, collection, '');
  for (const key of tables.records.getKeys({ start: prefix, limit })) {
    if (!startsWith(key, prefix)) return;
    yield key.toString('utf8', prefix.length);
  }
}

/**
 * Ids of the records with one key of an index, or, without `key`, of all records in the order of the index.
 * `position` continues the walk as `after`.
 */
export function* idsByIndex(
  tables: Tables,
  store: number,
  collection: string,
  index: string,
  key: string | undefined,
  options: RangeOptions,
): Generator<{ id: string; position: string }> {
  const prefix =
    key === undefined ? recordKey(store, collection, index, '') : recordKey(store, collection, index, key, '');
  const start =
    options.after === undefined ? prefix : Buffer.concat([Buffer.from(options.after, 'base64url'), Buffer.of(0)]);
  for (const found of tables.indexes.getKeys({ start, limit: options.limit })) {
    if (!startsWith(found, prefix)) return;
    const text = found.toString('utf8', 4);
    yield { id: text.slice(text.lastIndexOf('\0') + 1), position: Buffer.from(found).toString('base64url') };
  }
}

function startsWith(key: Buffer, prefix: Buffer): boolean {
  return key.length >= prefix.length && key.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
