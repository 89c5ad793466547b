import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { ActorKind } from '../../../kernel/actors/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { createApiKey, digestOf } from '../../../platform/index.ts';

/**
 * API keys of administrators: never the keys themselves. A record's id is the K of the engine subject `api_key:K`.
 * Times are in milliseconds.
 */
export const keyRecords = defineRecord({
  collection: 'api_keys',
  holds: 'an API key of administrators: its digest, never the key',
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
function getKey(store: Store, id: string): KeyEntry | undefined {
  return keyRecords.get(store, id);
}

function isLiveKey(record: KeyRecord, now: number): boolean {
  return record.expiresAt === undefined || now < record.expiresAt;
}

/** A key with a record counts while it has not expired, whatever the tuples say. */
export const keyActor = {
  type: 'api_key',
  collection: keyRecords.collection,
  auditedAs: 'admin',
  managedBy: 'settings.manage',
  nameOf: (store, id) => getKey(store, id)?.document.name,
  counts(store, id, now) {
    const entry = getKey(store, id);
    return entry === undefined || isLiveKey(entry.document, now);
  },
  isPermanent(store, id) {
    const entry = getKey(store, id);
    return entry !== undefined && entry.document.expiresAt === undefined;
  },
} as const satisfies ActorKind;
