import { z } from 'zod';
import type { Change, RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/**
 * Which clients know of which sessions, and must hear of their end. A record's id names the session, as the client was
 * told it, and the client (`takePart`).
 */
export const participationRecords = defineRecord({
  collection: 'session_clients',
  holds: 'a client that must hear of the end of a session',
  schema: z.strictObject({
    /** As the client was told it. */
    sessionId: z.string(),
    userId: z.string(),
    clientId: z.string(),
    /** Of whose end the client hears in place of it. Those of earlier versions have it in the index alone. */
    successorId: z.string().exactOptional(),
  }),
  indexes: ({ sessionId, successorId = sessionId }) => ({ session: successorId }),
});

type Participation = DocumentOf<typeof participationRecords>;

/** Sessions that have ended while clients still believe in them. Ids are the sessions'. */
export const endNoticeRecords = defineRecord({
  collection: 'session_ends',
  holds: 'a session that has ended while clients are still to be told',
  schema: z.strictObject({
    userId: z.string(),
    /** Milliseconds since the epoch. */
    endedAt: z.number(),
  }),
});

type EndNotice = DocumentOf<typeof endNoticeRecords>;

/**
 * Puts down that a client was told of a session, in the commit that tells it. Together with a precondition over the
 * session's version, no end of the session is missed: it ends before, and the client is told nothing, or after, and the
 * client is on the list. Nothing where it is there already.
 */
export function takePart(store: Store, participation: Participation): Change[] {
  const id = `${participation.sessionId} ${participation.clientId}`;
  if (participationRecords.get(store, id) !== undefined) return [];
  return [participationRecords.put(store, id, participation)];
}

/** What is to be done, in the commit that ends a session, for the clients that know of it. */
export function noticeOfEnd(store: Store, sessionId: string, notice: EndNotice): Change[] {
  if (participationIds(store, sessionId, 1).length === 0) return [];
  return [endNoticeRecords.put(store, sessionId, notice)];
}

/** Clients that know of a session. */
export function participationsIn(store: Store, sessionId: string, limit: number): RecordEntry<Participation>[] {
  return participationIds(store, sessionId, limit).flatMap((id) => participationRecords.get(store, id) ?? []);
}

/** The same by the ids of their records, none of which is read. */
export function participationIds(store: Store, sessionId: string, limit: number): string[] {
  return participationRecords.index(store).ids('session', sessionId, { limit });
}

/** Ids of sessions of which clients have not been told yet that they have ended. */
export function endNoticeIds(store: Store, limit: number): string[] {
  return endNoticeRecords.index(store).ids(undefined, '', { limit });
}
