import { z } from 'zod';
import type { Precondition, RecordEntry, Store } from '#engine';
import { areCurrent, epochsSchema, stillCurrent } from '../../../directory/epochs/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { isUnreadable, timeKey } from '../../../platform/index.ts';

export const authMethodSchema = z.enum(['password', 'social', 'sso']);
export type AuthMethod = z.output<typeof authMethodSchema>;

const deviceSchema = z
  .strictObject({ type: z.string().nullable(), os: z.string().nullable(), browser: z.string().nullable() })
  .readonly();

const locationSchema = z
  .strictObject({
    city: z.string().nullable(),
    country: z.string().nullable(),
    /** In degrees, where the database of places has them. Nobody is shown them. */
    latitude: z.number().exactOptional(),
    longitude: z.number().exactOptional(),
  })
  .readonly();

/**
 * Users who are signed in. Ids are UUIDs of version 7 and carry the time of the start. Times are milliseconds since the
 * epoch. When a user is deleted, an epoch ends their sessions, however many; the records go later, step by step
 * (`sweep-sessions.ts`), so that there is no `userKey`.
 */
export const sessionRecords = defineRecord({
  collection: 'sessions',
  holds: 'a sign-in of a user; once it has ended, for a week by default',
  schema: z.strictObject({
    userId: z.string(),
    /** The user's number. */
    userNumber: z.int(),
    /** SHA-256 of the secret that the browser has: the id alone is known to administrators. */
    digest: z.string(),
    /** `''` where unknown. */
    ipAddress: z.string(),
    userAgent: z.string(),
    device: deviceSchema,
    location: locationSchema.nullable(),
    authMethod: authMethodSchema,
    mfaVerified: z.boolean(),
    /** How the user proved who it is (RFC 8176). This and the next two are absent where sign-in had no pages yet. */
    amr: z.array(z.string()).readonly().exactOptional(),
    /** When the user did. */
    authTime: z.number().exactOptional(),
    /** Random, and known to scripts of the service's own frame: what clients' `session_state` is made of. */
    opState: z.string().exactOptional(),
    createdAt: z.number(),
    /** Written at most once a minute. */
    lastActiveAt: z.number(),
    /** When one of them passes, the session has ended. */
    epochs: epochsSchema,
    /** Set once it has ended and the lists know it. */
    endedAt: z.number().exactOptional(),
  }),
  counted: ['', '#state'],
  unique: ({ digest, endedAt }): Keys => (endedAt === undefined ? { digest } : {}),
  indexes: ({ userId, ipAddress, epochs, lastActiveAt, endedAt }) => ({
    user: userId,
    ...(ipAddress === '' ? {} : { address: ipAddress }),
    ...(endedAt === undefined
      ? { '#state': openKey(epochs.sessions ?? 0), openUser: userId, seen: timeKey(lastActiveAt) }
      : { '#state': endedKey, ended: timeKey(endedAt) }),
  }),
});

type StoredSession = DocumentOf<typeof sessionRecords>;

export type Device = z.output<typeof deviceSchema>;
export type Location = z.output<typeof locationSchema>;
export type SessionRecord = StoredSession & Required<Pick<StoredSession, 'amr' | 'authTime' | 'opState'>>;
export type SessionEntry = RecordEntry<SessionRecord>;

/** How long sessions last, in milliseconds: as the organization's settings say now, for all that are open. */
export interface Lifetime {
  readonly maxAgeMs: number;
  readonly idleMs: number;
}

/** In the index `#state`; of others it is `openKey`. */
export const endedKey = 'ended';

export function openKey(epoch: number): string {
  return `open:${epoch}`;
}

export function getSession(store: Store, id: string): SessionEntry | undefined {
  return whole(sessionRecords.get(store, id));
}

/** Sessions that began before sign-in had pages know less. */
function whole(entry: RecordEntry<StoredSession> | undefined): SessionEntry | undefined {
  if (entry === undefined || isWhole(entry)) return entry;
  const { createdAt: authTime } = entry.document;
  return { ...entry, document: { ...entry.document, amr: [], authTime, opState: '' } };
}

function isWhole(entry: RecordEntry<StoredSession>): entry is SessionEntry {
  return entry.document.opState !== undefined;
}

/** The last sessions of a user, gone on or ended, as far as they are kept and can be read: the newest first. */
export function recentSessions(store: Store, userId: string, limit: number): SessionEntry[] {
  const ids = sessionRecords.index(store).ids('user', userId, { descending: true, limit });
  return ids.flatMap((id) => readable(() => getSession(store, id)) ?? []);
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

export function readLifetime(store: Store): Lifetime {
  const { maxAge, idleTimeout } = readSettings(store).session;
  return { maxAgeMs: maxAge * 1000, idleMs: idleTimeout * 1000 };
}

/** When it ends if nobody uses it. */
export function expiryOf({ createdAt, lastActiveAt, endedAt }: SessionRecord, lifetime: Lifetime): number {
  const expiry = Math.min(createdAt + lifetime.maxAgeMs, lastActiveAt + lifetime.idleMs);
  return Math.min(expiry, endedAt ?? expiry);
}

/** Whether it goes on, exactly, in the snapshot of the surrounding `Engine.read`. */
export function isLiveSession(store: Store, session: SessionRecord, lifetime: Lifetime, now: number): boolean {
  return session.endedAt === undefined && now < expiryOf(session, lifetime) && areCurrent(store, session.epochs);
}

/** That a session stands as it was read, and goes on. To be called inside `Engine.read`. */
export function sessionAsRead(store: Store, id: string): Precondition[] {
  const session = getSession(store, id);
  if (session === undefined) return [sessionRecords.absent(store, id)];
  return [sessionRecords.same(store, session), ...stillCurrent(store, session.document.epochs)];
}

/** The session with this id, while it goes on. To be called inside `Engine.read`. */
export function liveSession(store: Store, id: string, now: number): SessionEntry | undefined {
  return ifLive(store, getSession(store, id), now);
}

/** The session that this secret opens, while it goes on. To be called inside `Engine.read`. */
export function sessionOfDigest(store: Store, digest: string, now: number): SessionEntry | undefined {
  return ifLive(store, whole(sessionRecords.byUnique(store, 'digest', digest)), now);
}

function ifLive(store: Store, entry: SessionEntry | undefined, now: number): SessionEntry | undefined {
  return entry !== undefined && isLiveSession(store, entry.document, readLifetime(store), now) ? entry : undefined;
}
