import type { Change, Precondition, Store } from '#engine';
import { settle } from '../../../directory/epochs/index.ts';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import { firstTokenIdsOf } from '../lists/tokens-of.ts';
import { participationRecords, participationsIn } from '../records/participation.ts';
import { type SessionEntry, sessionRecords } from '../records/session-record.ts';
import { tokenRecords } from '../records/token-record.ts';

/** So many tokens and clients go over; of a session with more, the rest ends with it. */
const MOVED_MAX = 500;

/**
 * A user who signs in again in the same browser gets a new session, and the one before ends. Its tokens go over to the new
 * one, and so do the clients that know of it: who proves once more who it is must not be signed out of every application
 * for that. To be called inside `Engine.read`, with its preconditions in the command that begins the successor.
 */
export function succession(
  store: Store,
  former: SessionEntry,
  successorId: string,
  now: number,
): Required<GatheredChanges> {
  const { id, document } = former;
  const changes: Change[] = [sessionRecords.put(store, id, { ...document, endedAt: now })];
  const preconditions: Precondition[] = [sessionRecords.same(store, former)];
  const tokens = firstTokenIdsOf(store, 'session', id, MOVED_MAX + 1);
  for (const tokenId of tokens.slice(0, MOVED_MAX)) {
    const token = tokenRecords.get(store, tokenId);
    if (token === undefined) continue;
    changes.push(tokenRecords.put(store, tokenId, { ...token.document, sessionId: successorId }));
    preconditions.push(tokenRecords.same(store, token));
  }
  if (tokens.length > MOVED_MAX) changes.push(settle(store, `session:${id}`));
  // clients hear of the end of the successor, by the name that they know
  for (const client of participationsIn(store, id, MOVED_MAX)) {
    changes.push(participationRecords.put(store, client.id, { ...client.document, successorId }));
  }
  return { changes, preconditions };
}
