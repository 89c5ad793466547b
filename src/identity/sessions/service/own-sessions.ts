import type { Store } from '#engine';
import { currentEpoch, endAllOf, endSessionsOf, stillCurrent } from '../../../directory/epochs/index.ts';
import { userActing } from '../../../directory/records/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, notFound, type Part, transactAs } from '../../../kernel/transactions/index.ts';
import { rootTokensOf } from '../lists/tokens-of.ts';
import { signedOut } from '../records/session-events.ts';
import { liveSession, type SessionEntry, sessionRecords } from '../records/session-record.ts';
import { revokedToken, revokedTokens } from '../records/token-events.ts';
import { isLiveToken } from '../records/token-record.ts';
import { ending, SESSIONS_MAX, signingOut } from './sessions.ts';
import { revocation } from './tokens.ts';

/** The sessions of a user that go on, the last used first. To be called inside `Engine.read`. */
export function ownSessions(store: Store, userId: string, now: number): SessionEntry[] {
  const ids = sessionRecords.index(store).ids('openUser', userId, { limit: SESSIONS_MAX });
  const live = ids.flatMap((id) => liveSession(store, id, now) ?? []);
  return live.sort((a, b) => b.document.lastActiveAt - a.document.lastActiveAt);
}

/** Ends a session as its user asks, from another one. @throws ProblemError 404 where it is none of theirs */
export function endOwnSession(
  dependencies: AdminDependencies,
  organization: Organization,
  userId: string,
  sessionId: string,
  facts: RequestFacts,
): Promise<void> {
  return transactAs(dependencies, organization, userActing(userId), facts, (transaction) => {
    const { store, now } = transaction;
    transaction.add(signingOut(store, requireOwn(store, userId, sessionId, now), now));
  });
}

/** Ends every session of a user but the one in which this is asked. */
export function endOtherSessions(
  dependencies: AdminDependencies,
  organization: Organization,
  sessionId: string,
  userId: string,
  facts: RequestFacts,
): Promise<void> {
  return transactAs(dependencies, organization, userActing(userId), facts, (transaction) => {
    const { store, now } = transaction;
    transaction.add(endOthersOf(store, requireOwn(store, userId, sessionId, now), 'sessions'));
    transaction.audit({
      eventType: 'user.logout',
      action: 'session.end_others',
      targetType: 'user',
      targetId: userId,
      metadata: { kept: sessionId },
    });
    transaction.emit(signedOut.others(userId, sessionId));
  });
}

/** @throws ProblemError 404 */
function requireOwn(store: Store, userId: string, sessionId: string, now: number): SessionEntry {
  const session = liveSession(store, sessionId, now);
  if (session?.document.userId !== userId) throw notFound();
  return session;
}

/**
 * Ends every session of a user but this one, which goes on in the epoch that begins. `tokens` ends all tokens of the user
 * as well, those of this session included: for a new password. To be called inside `Engine.read`, with its preconditions
 * in the command.
 */
export function endOthersOf(
  store: Store,
  session: SessionEntry,
  what: 'sessions' | 'tokens',
): Required<GatheredChanges> {
  const { id, document } = session;
  const { userId } = document;
  const own = `sessions:${userId}` as const;
  const epoch = currentEpoch(store, own);
  const kept = { ...document, epochs: { ...document.epochs, [own]: epoch + 1 } };
  const ends = what === 'tokens' ? endAllOf(store, userId) : endSessionsOf(store, userId);
  return {
    changes: [...ends, sessionRecords.put(store, id, kept)],
    preconditions: [...stillCurrent(store, { ...document.epochs, [own]: epoch }), sessionRecords.same(store, session)],
  };
}

/** Part of a command: what ends, and what is told of it. */
export interface EarlierEnded extends Required<Omit<Part, 'entries'>> {
  /** How many sessions end, and how many grants and tokens that hang on none. */
  readonly sessions: number;
  readonly tokens: number;
}

/** Of one user, to be ended one by one, and to be looked at, ended or not. Where there are more, all of them end. */
const TOKENS_MAX = 500;
const ROOTS_MAX = 5_000;

/**
 * Ends the sessions and tokens of a user that began at a time or before it, as a security event of an issuer asks.
 * Undefined where none of them goes on. Where nothing began later, all end by their epochs, as an administrator ends them;
 * otherwise one by one, and those that began later go on. To be called inside `Engine.read`.
 * @param before milliseconds since the epoch
 */
export function endEarlierOf(store: Store, userId: string, before: number, now: number): EarlierEnded | undefined {
  const open = ownSessions(store, userId, now);
  const roots = rootTokensOf(store, userId, ROOTS_MAX + 1);
  const good = roots.filter(({ document }) => isLiveToken(store, document, now));
  const isEarlier = ({ document }: { readonly document: { readonly createdAt: number } }) =>
    document.createdAt <= before;
  const sessions = open.filter(isEarlier);
  const tokens = good.filter(isEarlier);
  const counts = { sessions: sessions.length, tokens: tokens.length };
  const areTooMany = roots.length > ROOTS_MAX || tokens.length > TOKENS_MAX;
  if (sessions.length + tokens.length === 0 && !areTooMany) return undefined;
  if (areTooMany || sessions.length + tokens.length === open.length + good.length) {
    const told = tokens.length === 0 ? [] : [revokedTokens({ userId }, 'signal')];
    const events = [signedOut.user(userId, 'signal'), ...told];
    return { changes: endAllOf(store, userId), preconditions: [], events, ...counts };
  }
  const ends = [
    ...sessions.map((session) => ending(store, session, now)),
    ...tokens.map((token) => revocation(store, token)),
  ];
  return {
    changes: ends.flatMap(({ changes }) => changes),
    preconditions: ends.flatMap(({ preconditions }) => preconditions),
    events: [
      ...sessions.map(({ id }) => signedOut.session(userId, id, 'signal')),
      ...tokens.map((token) => revokedToken(token, 'signal')),
    ],
    ...counts,
  };
}
