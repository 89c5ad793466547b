import type { Change, RecordEntry, Store } from '#engine';

/** Collection of an organization's store: which clients know of which sessions, and must hear of their end. */
export const participationCollection = 'session_clients';

export interface Participation {
  /** As the client was told it. */
  readonly sessionId: string;
  readonly userId: string;
  readonly clientId: string;
}

/** Collection of an organization's store: sessions that have ended while clients still believe in them. */
export const endNoticeCollection = 'session_ends';

/** Its id is the session's. Times are milliseconds since the epoch. */
export interface EndNotice {
  readonly userId: string;
  readonly endedAt: number;
}

/**
 * Puts down that a client was told of a session, in the commit that tells it. Together with a precondition over the
 * session's version, no end of the session is missed: it ends before, and the client is told nothing, or after, and the
 * client is on the list. Nothing where it is there already.
 */
export function takePart({ name, records }: Store, participation: Participation): Change[] {
  const id = participationId(participation);
  if (records.get(participationCollection, id) !== undefined) return [];
  const indexes = { session: participation.sessionId };
  return [
    {
      op: 'put_record',
      store: name,
      record: { collection: participationCollection, id, document: participation, indexes },
    },
  ];
}

/** The client hears of the end of this other session, by the name that it knows. */
export function participationMoved(
  { name }: Store,
  { id, document }: RecordEntry<Participation>,
  sessionId: string,
): Change {
  const record = { collection: participationCollection, id, document, indexes: { session: sessionId } };
  return { op: 'put_record', store: name, record };
}

/** What is to be done, in the commit that ends a session, for the clients that know of it. */
export function noticeOfEnd(store: Store, sessionId: string, notice: EndNotice): Change[] {
  if (participationIds(store, sessionId, 1).length === 0) return [];
  const record = { collection: endNoticeCollection, id: sessionId, document: notice };
  return [{ op: 'put_record', store: store.name, record }];
}

/** Clients that know of a session. */
export function participationsIn(store: Store, sessionId: string, limit: number): RecordEntry<Participation>[] {
  return store.records.byIndex<Participation>(participationCollection, 'session', sessionId, { limit }).entries;
}

/** The same by the ids of their records, none of which is read. */
export function participationIds(store: Store, sessionId: string, limit: number): string[] {
  return store.recordIndex(participationCollection).ids('session', sessionId, { limit });
}

export function getParticipation({ records }: Store, id: string): RecordEntry<Participation> | undefined {
  return records.get<Participation>(participationCollection, id);
}

/** Ids of sessions of which clients have not been told yet that they have ended. */
export function endNoticeIds(store: Store, limit: number): string[] {
  return store.recordIndex(endNoticeCollection).ids(undefined, '', { limit });
}

export function getEndNotice({ records }: Store, id: string): RecordEntry<EndNotice> | undefined {
  return records.get<EndNotice>(endNoticeCollection, id);
}

function participationId({ sessionId, clientId }: Participation): string {
  return `${sessionId} ${clientId}`;
}
