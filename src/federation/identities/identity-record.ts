import type { Change, RecordEntry, RecordWrite, Store } from '#engine';
import { digestOf } from '../../platform/index.ts';
import type { ExternalIdentity } from '../upstreams/upstream.ts';

/** Collection of an organization's store. */
export const identityCollection = 'federated_identities';

/** Somebody at a provider who is a user here. Times are milliseconds since the epoch. */
export interface IdentityRecord {
  readonly userId: string;
  /** The record of the provider: never given to another one. */
  readonly providerId: string;
  /** What the provider was called in paths. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** As the provider told it then. */
  readonly email?: string;
  /** Whether the user came into being by it, was found by an address, or has linked it. */
  readonly how: 'registered' | 'found' | 'linked';
  readonly linkedAt: number;
}

export type IdentityEntry = RecordEntry<IdentityRecord>;

/** Of one user. */
export const IDENTITIES_MAX = 20;

/** Who it is at the provider: the same subject of another issuer, or through another provider, is somebody else. */
function keyOf(providerId: string, issuer: string, subject: string): string {
  return digestOf(JSON.stringify([providerId, issuer, subject]));
}

export function identityWrite(id: string, document: IdentityRecord): RecordWrite {
  const { userId, providerId, issuer, subject } = document;
  return {
    collection: identityCollection,
    id,
    document,
    indexes: { user: userId, provider: providerId },
    unique: { key: keyOf(providerId, issuer, subject) },
  };
}

export function findIdentity(
  store: Store,
  providerId: string,
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
): IdentityEntry | undefined {
  return store.records.byUnique<IdentityRecord>(identityCollection, 'key', keyOf(providerId, issuer, subject));
}

export function getIdentity(store: Store, id: string): IdentityEntry | undefined {
  return store.records.get<IdentityRecord>(identityCollection, id);
}

/** In the order in which they were linked. To be called inside `Engine.read`. */
export function identitiesOf(store: Store, userId: string): IdentityEntry[] {
  const ids = store.recordIndex(identityCollection).ids('user', userId, { limit: IDENTITIES_MAX });
  return ids.flatMap((id) => getIdentity(store, id) ?? []);
}

/** For the command that deletes the user. */
export function forgetIdentities(store: Store, userId: string): Change[] {
  return identitiesOf(store, userId).map(({ id }) => dropIdentity(store, id));
}

export function dropIdentity({ name: store }: { readonly name: string }, id: string): Change {
  return { op: 'delete_record', store, collection: identityCollection, id };
}
