import type { Change, Precondition, RecordEntry, Store } from '#engine';

/** Collection of an organization's store: what users have agreed to. A record's id names the user and the client. */
export const consentCollection = 'consents';

/** Times are milliseconds since the epoch. */
export interface ConsentRecord {
  readonly userId: string;
  readonly clientId: string;
  /** All that the user has agreed to, at one time or another. */
  readonly scopes: readonly string[];
  /** In which the user agreed last. */
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type ConsentEntry = RecordEntry<ConsentRecord>;

type Parties = Pick<ConsentRecord, 'userId' | 'clientId'>;

function idOf({ userId, clientId }: Parties): string {
  return `${userId}:${clientId}`;
}

export function getConsent(store: Store, parties: Parties): ConsentEntry | undefined {
  return store.records.get<ConsentRecord>(consentCollection, idOf(parties));
}

export function consentPut(store: Store, document: ConsentRecord): Change {
  const { userId: user, clientId: client } = document;
  const record = { collection: consentCollection, id: idOf(document), document, indexes: { user, client } };
  return { op: 'put_record', store: store.name, record };
}

export function consentDeletion(store: Store, { id }: Pick<ConsentEntry, 'id'>): Change {
  return { op: 'delete_record', store: store.name, collection: consentCollection, id };
}

/** That nothing has become of it meanwhile: neither another consent nor its end. */
export function sameConsent(store: Store, parties: Parties): Precondition {
  const place = { store: store.name, collection: consentCollection, id: idOf(parties) };
  const version = getConsent(store, parties)?.version;
  return version === undefined
    ? { require: 'record_absent', ...place }
    : { require: 'record_version', ...place, version };
}

/** What a user has agreed to, at most `limit` of it. */
export function consentsOf(store: Store, userId: string, limit: number): ConsentEntry[] {
  const ids = consentIdsOf(store, 'user', userId, limit);
  return ids.flatMap((each) => store.records.get<ConsentRecord>(consentCollection, each) ?? []);
}

/** The same without reading it; of a client, what users have agreed to. */
export function consentIdsOf(store: Store, by: 'user' | 'client', id: string, limit: number): string[] {
  return store.recordIndex(consentCollection).ids(by, id, { limit });
}
