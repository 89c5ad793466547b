import { z } from 'zod';
import type { RecordEntry, RecordWrite, Store } from '#engine';
import { timeKey } from '../../platform/index.ts';
import { readSettings } from '../../settings/index.ts';
import { areCurrent, type Epochs } from './epochs.ts';

/** Collection of an organization's store. Ids are UUIDs of version 7 and carry the time of the start. */
export const sessionCollection = 'sessions';

export const authMethodSchema = z.enum(['password', 'social', 'sso']);
export type AuthMethod = z.output<typeof authMethodSchema>;

export interface Device {
  readonly type: string | null;
  readonly os: string | null;
  readonly browser: string | null;
}

export interface Location {
  readonly city: string | null;
  readonly country: string | null;
}

/** A user who is signed in. Times are milliseconds since the epoch. */
export interface SessionRecord {
  readonly userId: string;
  /** The user's number. */
  readonly userNumber: number;
  /** SHA-256 of the secret that the browser has: the id alone is known to administrators. */
  readonly digest: string;
  /** `''` where unknown. */
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly device: Device;
  readonly location: Location | null;
  readonly authMethod: AuthMethod;
  readonly mfaVerified: boolean;
  /** How the user proved who it is (RFC 8176). */
  readonly amr: readonly string[];
  /** When the user did. */
  readonly authTime: number;
  /** Random, and known to scripts of the service's own frame: what clients' `session_state` is made of. */
  readonly opState: string;
  readonly createdAt: number;
  /** Written at most once a minute. */
  readonly lastActiveAt: number;
  /** When one of them passes, the session has ended. */
  readonly epochs: Epochs;
  /** Set once it has ended and the lists know it. */
  readonly endedAt?: number;
}

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

export function sessionWrite(id: string, document: SessionRecord): RecordWrite {
  const { userId, ipAddress, endedAt, epochs, lastActiveAt, digest } = document;
  const always = { user: userId, ...(ipAddress === '' ? {} : { address: ipAddress }) };
  const place = { collection: sessionCollection, id, document };
  if (endedAt !== undefined) return { ...place, indexes: { ...always, '#state': endedKey, ended: timeKey(endedAt) } };
  const state = openKey(epochs.sessions ?? 0);
  return {
    ...place,
    indexes: { ...always, '#state': state, openUser: userId, seen: timeKey(lastActiveAt) },
    unique: { digest },
  };
}

export function getSession(store: Store, id: string): SessionEntry | undefined {
  return whole(store.records.get<SessionRecord>(sessionCollection, id));
}

/** Sessions that began before sign-in had pages know less. */
function whole(entry: SessionEntry | undefined): SessionEntry | undefined {
  if (entry === undefined || entry.document.opState !== undefined) return entry;
  const { createdAt: authTime } = entry.document;
  return { ...entry, document: { ...entry.document, amr: [], authTime, opState: '' } };
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

/** The session with this id, while it goes on. To be called inside `Engine.read`. */
export function liveSession(store: Store, id: string, now: number): SessionEntry | undefined {
  return ifLive(store, getSession(store, id), now);
}

/** The session that this secret opens, while it goes on. To be called inside `Engine.read`. */
export function sessionOfDigest(store: Store, digest: string, now: number): SessionEntry | undefined {
  return ifLive(store, whole(store.records.byUnique<SessionRecord>(sessionCollection, 'digest', digest)), now);
}

function ifLive(store: Store, entry: SessionEntry | undefined, now: number): SessionEntry | undefined {
  return entry !== undefined && isLiveSession(store, entry.document, readLifetime(store), now) ? entry : undefined;
}
