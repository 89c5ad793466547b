import type { RecordEntry, RecordWrite, Store } from '#engine';
import { timeKey } from '../../platform/index.ts';
import { areCurrent, type Epochs } from './epochs.ts';
import type { OpenIdFacts } from './open-id-facts.ts';
import { expiryOf, getSession, isLiveSession, openKey, readLifetime } from './session-record.ts';

/** Collection of an organization's store. Of an access token, the id is its `jti`. */
export const tokenCollection = 'tokens';

/** Who acts for somebody (RFC 8693, 4.1), and for whom it acts in turn. */
export interface ActorChain {
  /** As the engine knows it. */
  readonly subject: string;
  /** As `sub` has it. */
  readonly name: string;
  readonly act?: ActorChain;
}

/**
 * What is known of a token that was issued: never the token itself. Times are milliseconds since the epoch. A record of
 * type `refresh` is a grant: it goes on through every refresh token that is handed out for it, one at a time.
 */
export interface TokenRecord {
  readonly type: 'access' | 'refresh';
  readonly clientId: string;
  /** Absent where the client acts for itself. */
  readonly userId?: string;
  /** It ends with this session. A token that outlives its session, as `offline_access` has it, names none. */
  readonly sessionId?: string;
  /**
   * The grant that an access token was issued by. It lives only while the grant does, and is found through it by user and
   * session.
   */
  readonly grantId?: string;
  /**
   * The token that it was exchanged for: it lives only while that does. Of an access token that an earlier version has
   * issued, also its grant.
   */
  readonly parentId?: string;
  readonly scopes: readonly string[];
  /** Whom it is for, where that is not the organization's own API. */
  readonly audience?: string;
  /** Of a grant: all that tokens may be asked for with it (RFC 8707). */
  readonly resources?: readonly string[];
  /** Thumbprint of the key that its holder must prove (RFC 9449, 6). */
  readonly jkt?: string;
  readonly actor?: ActorChain;
  /** Of a grant: which of its refresh tokens counts, from 1. */
  readonly generation?: number;
  /** Of a grant: when it ends however often it is used. */
  readonly endsAt?: number;
  /** Of an access token only where a request asked for certain claims. */
  readonly openId?: OpenIdFacts;
  readonly createdAt: number;
  /** Never later than that of what it hangs on. */
  readonly expiresAt: number;
  /**
   * Of a grant that was used: when it is looked at whether it has expired, as its index has it. It is not later, and moves
   * only when it has come.
   */
  readonly dueAt?: number;
  /** Written at most once a minute. */
  readonly lastUsedAt?: number;
  /** When one of them passes, the token has ended. */
  readonly epochs: Epochs;
}

export type TokenEntry = RecordEntry<TokenRecord>;

/** Where grants stand by their user and session; other tokens, if not under their grant, stand under the owner's name. */
export const grantIndexes = { user: 'grantUser', session: 'grantSession' } as const;

/** Where tokens stand by what they hang on. */
export const childIndexes = ['grant', 'parent'] as const;

export function tokenWrite(id: string, document: TokenRecord): RecordWrite {
  const { type, clientId, userId, sessionId, grantId, parentId, epochs } = document;
  const indexes: Record<string, string> = {
    '#state': openKey(epochs.tokens ?? 0),
    client: clientId,
    expires: timeKey(dueTimeOf(document)),
  };
  if (grantId !== undefined) {
    indexes.grant = grantId;
  } else {
    const isGrant = type === 'refresh';
    if (userId !== undefined) indexes[isGrant ? grantIndexes.user : 'user'] = userId;
    if (sessionId !== undefined) indexes[isGrant ? grantIndexes.session : 'session'] = sessionId;
  }
  if (parentId !== undefined) indexes.parent = parentId;
  return { collection: tokenCollection, id, document, indexes };
}

/** When it has to be looked at whether it has expired. */
export function dueTimeOf({ dueAt, expiresAt }: TokenRecord): number {
  return dueAt ?? expiresAt;
}

export function getToken(store: Store, id: string): TokenEntry | undefined {
  return store.records.get<TokenRecord>(tokenCollection, id);
}

/** Whether it is good, exactly, in the snapshot of the surrounding `Engine.read`. */
export function isLiveToken(store: Store, token: TokenRecord, now: number): boolean {
  return liveUntil(store, token, now) !== undefined;
}

/**
 * Until when it is good if nothing is committed: by its own time, its session's and those of what it hangs on.
 * `undefined` where it has ended. In the snapshot of the surrounding `Engine.read`.
 */
export function liveUntil(store: Store, token: TokenRecord, now: number): number | undefined {
  const { expiresAt, epochs, sessionId, grantId, parentId } = token;
  if (now >= expiresAt || !areCurrent(store, epochs)) return undefined;
  let until = expiresAt;
  if (sessionId !== undefined) {
    const session = getSession(store, sessionId)?.document;
    const lifetime = readLifetime(store);
    if (session === undefined || !isLiveSession(store, session, lifetime, now)) return undefined;
    until = Math.min(until, expiryOf(session, lifetime));
  }
  for (const basisId of [grantId, parentId]) {
    if (basisId === undefined) continue;
    // what a token hangs on is older than it, and a chain of exchanges is bounded where it is made
    const basis = getToken(store, basisId)?.document;
    const basisUntil = basis && liveUntil(store, basis, now);
    if (basisUntil === undefined) return undefined;
    until = Math.min(until, basisUntil);
  }
  return until;
}

/** The token with this id, while it is good. To be called inside `Engine.read`. */
export function liveToken(store: Store, id: string, now: number): TokenEntry | undefined {
  const entry = getToken(store, id);
  return entry !== undefined && isLiveToken(store, entry.document, now) ? entry : undefined;
}
