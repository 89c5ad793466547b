import type { Change, IndexReader, Precondition, Store } from '#engine';
import { epochRecords, settlingRecords } from '../../../directory/epochs/index.ts';
import { getUser } from '../../../directory/records/index.ts';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import { firstTime, type SetAside, timeKey, timeOfId } from '../../../platform/index.ts';
import { endedSessions, endedTokens, openSessions, openTokens, type Settling, settling } from '../lists/gone.ts';
import { idsBelow, idsOf } from '../lists/standing.ts';
import { noticeOfEnd } from '../records/participation.ts';
import {
  endedKey,
  expiryOf,
  getSession,
  isLiveSession,
  readLifetime,
  type SessionEntry,
  sessionRecords,
} from '../records/session-record.ts';
import { dueTimeOf, isLiveToken, type TokenEntry, tokenRecords } from '../records/token-record.ts';
import { ending } from './sessions.ts';
import { revocation } from './tokens.ts';

/**
 * Settles, in each organization, at most `limit` sessions and tokens that have ended, and removes sessions that ended
 * `keepMs` ago. Answers whether there may be more.
 */
export function sweepSessions(dependencies: WalkDependencies, keepMs: number): SweepStep {
  return sweepOrganizations(dependencies, 'sessions', {
    plan: (store, limit, aside) => settlingStep(store, { now: dependencies.clock.now(), keepMs, limit, aside }),
    nextAt: (store) => nextSettling(store, keepMs),
  });
}

interface Step {
  readonly changes: Change[];
  readonly preconditions: Precondition[];
}

/**
 * One bounded step of settling what has ended: sessions are marked and kept for a while, tokens go, and so does
 * everything of a user who is gone. Nothing depends on when it runs: what has ended is refused before. To be called
 * inside `Engine.read`; without changes there is nothing to do.
 */
function settlingStep(store: Store, bounds: Bounds): Step {
  const step: Step = { changes: [], preconditions: [] };
  settleSessions(store, bounds, step);
  if (step.changes.length === 0) settleTokens(store, bounds, step);
  if (step.changes.length === 0) settleMarks(store, bounds, step);
  if (step.changes.length === 0) forget(store, bounds, step);
  return step;
}

interface Bounds {
  readonly now: number;
  /** How long a session that has ended is kept. */
  readonly keepMs: number;
  /** Most changes of one step; the last record may add its own on top. */
  readonly limit: number;
  /** What cannot be read stays where it is and does not block what follows. */
  readonly aside: SetAside;
}

function settleSessions(store: Store, bounds: Bounds, step: Step): void {
  const { now } = bounds;
  const lifetime = readLifetime(store);
  const candidates = chained(
    endedSessions(store, lifetime, now),
    earlier(sessionRecords.index(store), openSessions(store)),
  );
  settleEach(candidates, sessionRecords.collection, bounds, step, (id) => {
    const session = getSession(store, id);
    if (session === undefined || session.document.endedAt !== undefined) return undefined;
    if (isLiveSession(store, session.document, lifetime, now)) return undefined;
    return endedSession(store, session, Math.min(now, expiryOf(session.document, lifetime)));
  });
}

/** Each candidate once, until the step is full. */
function settleEach(
  candidates: Iterable<string>,
  collection: string,
  { limit, aside }: Bounds,
  step: Step,
  settled: (id: string) => Required<GatheredChanges> | undefined,
): void {
  const seen = new Set<string>();
  for (const id of candidates) {
    if (seen.has(id)) continue;
    seen.add(id);
    const found = aside.attempt(collection, id, () => settled(id));
    if (found !== undefined) add(step, found);
    if (step.changes.length >= limit) return;
  }
}

function endedSession(store: Store, session: SessionEntry, endedAt: number) {
  if (getUser(store, session.document.userId) !== undefined) return ending(store, session, endedAt);
  const { id, document } = session;
  const notice = noticeOfEnd(store, id, { userId: document.userId, endedAt });
  return { changes: [sessionRecords.delete(store, id), ...notice], preconditions: [] };
}

function settleTokens(store: Store, bounds: Bounds, step: Step): void {
  const { now } = bounds;
  const candidates = chained(endedTokens(store, [], now), earlier(tokenRecords.index(store), openTokens(store)));
  settleEach(candidates, tokenRecords.collection, bounds, step, (id) => {
    const token = tokenRecords.get(store, id);
    if (token === undefined) return undefined;
    if (!isLiveToken(store, token.document, now)) return revocation(store, token);
    return dueTimeOf(token.document) <= now ? dueLater(store, token) : undefined;
  });
}

/** A grant was used since its time was set, and goes on. */
function dueLater(store: Store, token: TokenEntry): Step {
  const { id, document } = token;
  return {
    changes: [tokenRecords.put(store, id, { ...document, dueAt: document.expiresAt })],
    preconditions: [tokenRecords.same(store, token)],
  };
}

/** Of those that have other keys: they began in an earlier epoch of the organization. */
function* earlier(index: IndexReader, current: string): Generator<string> {
  for (let after: string | undefined; ; ) {
    const [key] = index.keys('#state', { after, limit: 1 });
    if (key === undefined) return;
    if (key !== current && key !== endedKey) yield* idsOf(index, '#state', key);
    after = key;
  }
}

/** Sessions and tokens are settled: what is left is what a user who is gone has left behind, and the mark itself. */
function settleMarks(store: Store, { limit, aside }: Bounds, step: Step): void {
  for (const mark of settling(store)) {
    const settled = aside.attempt(settlingRecords.collection, `${mark.type}:${mark.id}`, () => {
      const isGone = mark.type === 'user' && getUser(store, mark.id) === undefined;
      const sessions = isGone ? sessionsOf(store, mark.id, limit + aside.size) : [];
      const left = sessions.filter((id) => !aside.has(sessionRecords.collection, id));
      const changes = sessionRecords.deletions(store, left);
      return left.length < limit
        ? [{ changes, preconditions: [] }, unmark(store, mark, isGone)]
        : [{ changes, preconditions: [] }];
    });
    for (const each of settled ?? []) add(step, each);
    if (step.changes.length >= limit) return;
  }
}

function sessionsOf(store: Store, userId: string, limit: number): string[] {
  return sessionRecords.index(store).ids('user', userId, { limit });
}

function unmark(store: Store, { type, id }: Settling, isGone: boolean): Step {
  const mark = settlingRecords.get(store, `${type}:${id}`);
  if (mark === undefined) return { changes: [], preconditions: [] };
  const epochs = isGone ? [`sessions:${id}`, `tokens:${id}`] : [];
  return {
    changes: [settlingRecords.delete(store, mark.id), ...epochRecords.deletions(store, epochs)],
    preconditions: [settlingRecords.same(store, mark)],
  };
}

function forget(store: Store, { now, keepMs, limit, aside }: Bounds, step: Step): void {
  const index = sessionRecords.index(store);
  for (const id of idsBelow(index, 'ended', timeKey(now - keepMs))) {
    if (aside.has(sessionRecords.collection, id)) continue;
    step.changes.push(sessionRecords.delete(store, id));
    if (step.changes.length >= limit) return;
  }
}

function add(step: Step, { changes, preconditions }: Required<GatheredChanges>): void {
  step.changes.push(...changes);
  step.preconditions.push(...preconditions);
}

function* chained(...all: readonly Iterable<string>[]): Generator<string> {
  for (const each of all) yield* each;
}

/**
 * When there is something to settle next, where nothing is committed before: the first time at which `settlingStep` has a
 * candidate. What was ended by a commit is settled when that is seen. To be called inside `Engine.read`.
 */
function nextSettling(store: Store, keepMs: number): number {
  const { idleMs, maxAgeMs } = readLifetime(store);
  const sessions = sessionRecords.index(store);
  const [oldest] = sessions.ids('#state', openSessions(store), { limit: 1 });
  return Math.min(
    firstTime(sessions, 'seen') + idleMs,
    oldest === undefined ? Number.POSITIVE_INFINITY : startOf(oldest) + maxAgeMs,
    firstTime(tokenRecords.index(store), 'expires'),
    firstTime(sessions, 'ended') + keepMs + 1,
  );
}

/** Long ago where the id has no time. */
function startOf(id: string): number {
  const time = timeOfId(id);
  return Number.isNaN(time) ? 0 : time;
}
