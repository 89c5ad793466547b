import type { Change, Precondition, Store } from '#engine';
import { endAllOf } from '../../../directory/epochs/index.ts';
import type { DomainEvent } from '../../../kernel/events/index.ts';
import { rootTokensOf } from '../lists/tokens-of.ts';
import { signedOut } from '../records/session-events.ts';
import { revokedToken, revokedTokens } from '../records/token-events.ts';
import { isLiveToken } from '../records/token-record.ts';
import { ownSessions } from './own-sessions.ts';
import { ending } from './sessions.ts';
import { revocation } from './tokens.ts';

/** Part of a command: what ends, and what is told of it. */
export interface EarlierEnded {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
  readonly events: readonly DomainEvent[];
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
