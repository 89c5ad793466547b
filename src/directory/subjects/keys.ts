import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/index.ts';
import { createApiKey, digestOf } from '../../platform/index.ts';

/**
 * API keys of administrators: never the keys themselves. A record's id is the K of the engine subject `api_key:K`.
 * Times are in milliseconds.
 */
export const keyRecords = defineRecord({
  collection: 'api_keys',
  schema: z.strictObject({
    name: z.string(),
    /** SHA-256 of the key. */
    digest: z.string(),
    /** The last four characters, so that people recognise a key. */
    tail: z.string(),
    createdAt: z.number(),
    /** Engine subject of the creator; `platform` for the super administrator. */
    createdBy: z.string(),
    expiresAt: z.number().exactOptional(),
    rotatedAt: z.number().exactOptional(),
  }),
  unique: ({ digest }) => ({ digest }),
});

export type KeyRecord = DocumentOf<typeof keyRecords>;
export type KeyEntry = RecordEntry<KeyRecord>;

export interface NewKey {
  readonly id: string;
  /** To be shown once. */
  readonly key: string;
  readonly subject: string;
  readonly document: KeyRecord;
}

export function mintKey(id: string, facts: Omit<KeyRecord, 'digest' | 'tail'>): NewKey {
  const key = createApiKey('admin');
  const document: KeyRecord = { ...facts, digest: digestOf(key), tail: key.slice(-4) };
  return { id, key, subject: keySubject(id), document };
}

export function keySubject(id: string): string {
  return `api_key:${id}`;
}

/** The key with this text, whether or not it has expired. Only digests are compared, by the index. */
export function findKey(store: Store, key: string): KeyEntry | undefined {
  return keyRecords.byUnique(store, 'digest', digestOf(key));
}

export function getKey(store: Store, id: string): KeyEntry | undefined {
  return keyRecords.get(store, id);
}

export function isLiveKey(record: KeyRecord, now: number): boolean {
  return record.expiresAt === undefined || now < record.expiresAt;
}

/**
 * Whether a subject counts. A key with a record counts while it has not expired, whatever the tuples say; a subject
 * without a record counts as the tuples say. To be called inside `Engine.read`.
 */
export function keyCounts(store: Store, subject: string, now: number): boolean {
  if (!subject.startsWith('api_key:')) return true;
  const entry = getKey(store, subject.slice('api_key:'.length));
  return entry === undefined || isLiveKey(entry.document, now);
}

/** Whether a subject is a key that never expires: only such a one stays an administrator. */
export function isLastingKey(store: Store, subject: string): boolean {
  if (!subject.startsWith('api_key:')) return false;
  const entry = getKey(store, subject.slice('api_key:'.length));
  return entry !== undefined && entry.document.expiresAt === undefined;
}
