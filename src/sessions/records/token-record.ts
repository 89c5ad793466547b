import type { RecordEntry, RecordWrite, Store } from '#engine';
import { timeKey } from '../../platform/index.ts';
import { areCurrent, type Epochs } from './epochs.ts';
import { getSession, isLiveSession, openKey, readLifetime } from './session-record.ts';

/** Collection of an organization's store. Of an access token, the id is its `jti`. */
export const tokenCollection = 'tokens';

/** What is known of a token that was issued: never the token itself. Times are milliseconds since the epoch. */
export interface TokenRecord {
  readonly type: 'access' | 'refresh';
  readonly clientId: string;
  /** Absent where the client acts for itself. */
  readonly userId?: string;
  /** It ends with this session. A token that outlives its session, as `offline_access` has it, names none. */
  readonly sessionId?: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Written at most once a minute. */
  readonly lastUsedAt?: number;
  /** SHA-256 of a token that is looked up by its text. */
  readonly digest?: string;
  /** When one of them passes, the token has ended. */
  readonly epochs: Epochs;
}

export type TokenEntry = RecordEntry<TokenRecord>;

export function tokenWrite(id: string, document: TokenRecord): RecordWrite {
  const { clientId, userId, sessionId, expiresAt, digest, epochs } = document;
  return {
    collection: tokenCollection,
    id,
    document,
    indexes: {
      '#state': openKey(epochs.tokens ?? 0),
      client: clientId,
      expires: timeKey(expiresAt),
      ...(userId === undefined ? {} : { user: userId }),
      ...(sessionId === undefined ? {} : { session: sessionId }),
    },
    ...(digest === undefined ? {} : { unique: { digest } }),
  };
}

export function getToken(store: Store, id: string): TokenEntry | undefined {
  return store.records.get<TokenRecord>(tokenCollection, id);
}

/** Whether it is good, exactly, in the snapshot of the surrounding `Engine.read`. */
export function isLiveToken(store: Store, { expiresAt, epochs, sessionId }: TokenRecord, now: number): boolean {
  if (now >= expiresAt || !areCurrent(store, epochs)) return false;
  if (sessionId === undefined) return true;
  const session = getSession(store, sessionId);
  return session !== undefined && isLiveSession(store, session.document, readLifetime(store), now);
}

/** The token with this id, while it is good. To be called inside `Engine.read`. */
export function liveToken(store: Store, id: string, now: number): TokenEntry | undefined {
  return ifLive(store, getToken(store, id), now);
}

/** The token with this digest, while it is good. To be called inside `Engine.read`. */
export function tokenOfDigest(store: Store, digest: string, now: number): TokenEntry | undefined {
  return ifLive(store, store.records.byUnique<TokenRecord>(tokenCollection, 'digest', digest), now);
}

function ifLive(store: Store, entry: TokenEntry | undefined, now: number): TokenEntry | undefined {
  return entry !== undefined && isLiveToken(store, entry.document, now) ? entry : undefined;
}
