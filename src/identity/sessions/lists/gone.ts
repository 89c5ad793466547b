import type { IndexReader, Store } from '#engine';
import { currentEpoch, settlingRecords } from '../../../directory/epochs/index.ts';
import { firstIdAt, timeKey } from '../../../platform/index.ts';
import {
  getSession,
  isLiveSession,
  type Lifetime,
  openKey,
  readLifetime,
  sessionRecords,
} from '../records/session-record.ts';
import { isLiveToken, tokenRecords } from '../records/token-record.ts';
import { goneAmong, idsBelow, idsOf, type Standing } from './standing.ts';
import { childIdsOf, tokenIdsOf } from './tokens-of.ts';

/**
 * How sessions and tokens that have ended, and are not settled, are found without reading those that go on: by the
 * times in indexes, and by what was put down when many were ended at once. Everything that has ended is among the
 * candidates; each is judged by its record.
 */
export function standingSessions(store: Store, now: number): Standing {
  const lifetime = readLifetime(store);
  const candidates = endedSessions(store, lifetime, now);
  return goneAmong(sessionRecords.index(store), openSessions(store), candidates, (id) =>
    goesOn(store, id, lifetime, now),
  );
}

/** The key of the sessions that can go on: those of earlier epochs have another one. */
export function openSessions(store: Store): string {
  return openKey(currentEpoch(store, 'sessions'));
}

export function* endedSessions(store: Store, lifetime: Lifetime, now: number): Generator<string> {
  const index = sessionRecords.index(store);
  yield* idsBelow(index, 'seen', timeKey(now - lifetime.idleMs + 1));
  yield* idsOf(index, '#state', openSessions(store), firstIdAt(now - lifetime.maxAgeMs + 1));
  for (const { type, id } of settling(store)) if (type === 'user') yield* idsOf(index, 'openUser', id);
}

function goesOn(store: Store, id: string, lifetime: Lifetime, now: number): boolean {
  const session = getSession(store, id);
  return session !== undefined && isLiveSession(store, session.document, lifetime, now);
}

export function standingTokens(store: Store, now: number): Standing {
  const candidates = endedTokens(store, standingSessions(store, now).gone, now);
  return goneAmong(tokenRecords.index(store), openTokens(store), candidates, (id) => {
    const token = tokenRecords.get(store, id);
    return token !== undefined && isLiveToken(store, token.document, now);
  });
}

export function openTokens(store: Store): string {
  return openKey(currentEpoch(store, 'tokens'));
}

export function* endedTokens(store: Store, goneSessions: Iterable<string>, now: number): Generator<string> {
  const index = tokenRecords.index(store);
  yield* idsBelow(index, 'expires', timeKey(now + 1));
  for (const { type, id } of settling(store)) {
    yield* withExchanged(index, type === 'parent' ? childIdsOf(index, id) : tokenIdsOf(index, type, id));
  }
  for (const id of goneSessions) yield* withExchanged(index, tokenIdsOf(index, 'session', id));
}

/** What was exchanged for a token ends with it, also where it is of another client. */
function* withExchanged(index: IndexReader, ids: Iterable<string>): Generator<string> {
  for (const id of ids) {
    yield id;
    yield* withExchanged(index, idsOf(index, 'parent', id));
  }
}

export interface Settling {
  readonly type: 'user' | 'client' | 'session' | 'parent';
  readonly id: string;
}

/** Whose sessions or tokens were ended and are not settled yet. */
export function* settling(store: Store): Generator<Settling> {
  for (const id of idsOf(settlingRecords.index(store), undefined, '')) {
    const colon = id.indexOf(':');
    // ids of this collection begin with one of these and a colon
    yield { type: id.slice(0, colon) as Settling['type'], id: id.slice(colon + 1) };
  }
}
