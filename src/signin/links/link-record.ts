import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { digestOf, randomText, timeKey } from '../../platform/index.ts';

/** Collection of an organization's store: links that were mailed on the way of a sign-in. Swept when they are over. */
export const linkCollection = 'signin_links';

/** Signing in, making an account, setting a new password. */
export type LinkPurpose = 'magic' | 'signup' | 'reset';

/** Never its token. Times are milliseconds since the epoch. */
export interface LinkRecord {
  readonly purpose: LinkPurpose;
  /** It leads on in this flow, and works in the browser that began it alone. */
  readonly flow: string;
  readonly browser: string;
  /** Where it was sent. */
  readonly email: string;
  /** Absent where nobody has the address. */
  readonly userId?: string | undefined;
  /** When the user's password was set: with another one, a link to set it is void. */
  readonly passwordAt?: number | undefined;
  /** SHA-256 of the token. */
  readonly digest: string;
  readonly expiresAt: number;
}

export type LinkEntry = RecordEntry<LinkRecord>;

/** 43 characters of 62 are 256 random bits. */
const TOKEN_LENGTH = 43;

export interface NewLink {
  /** For the mail alone. */
  readonly token: string;
  readonly change: Change;
}

/** A flow has one link of each purpose: a new one ends the one before, and nobody else's. */
export function newLink(store: Store, link: Omit<LinkRecord, 'digest'>): NewLink {
  const token = randomText(TOKEN_LENGTH);
  const document: LinkRecord = { ...link, digest: digestOf(token) };
  const record = {
    collection: linkCollection,
    id: `${link.purpose}:${link.flow}`,
    document,
    indexes: { expires: timeKey(link.expiresAt) },
    unique: { digest: document.digest },
  };
  return { token, change: { op: 'put_record', store: store.name, record } };
}

/** A link that can still be followed, in whatever browser. Only digests are compared, by the index. */
export function findLink(store: Store, token: string, purpose: LinkPurpose, now: number): LinkEntry | undefined {
  if (token.length !== TOKEN_LENGTH) return undefined;
  const entry = store.records.byUnique<LinkRecord>(linkCollection, 'digest', digestOf(token));
  return entry?.document.purpose === purpose && now < entry.document.expiresAt ? entry : undefined;
}

/** Follows a link for the only time: of two who try at once, one command is applied. */
export function spendLink(
  { name: store }: Store,
  { id, version }: LinkEntry,
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  const place = { store, collection: linkCollection, id };
  return {
    changes: [{ op: 'delete_record', ...place }],
    preconditions: [{ require: 'record_version', ...place, version }],
  };
}
