import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { timeKey } from '../../platform/index.ts';
import { linkOfToken, newLinkToken } from '../../users/index.ts';

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

export interface NewLink {
  /** For the mail alone. */
  readonly token: string;
  readonly change: Change;
}

/** A flow has one link of each purpose: a new one ends the one before, and nobody else's. */
export function newLink(store: Store, link: Omit<LinkRecord, 'digest'>): NewLink {
  const { token, digest } = newLinkToken();
  const document: LinkRecord = { ...link, digest };
  const record = {
    collection: linkCollection,
    id: `${link.purpose}:${link.flow}`,
    document,
    indexes: { expires: timeKey(link.expiresAt) },
    unique: { digest },
  };
  return { token, change: { op: 'put_record', store: store.name, record } };
}

/** A link that can still be followed, in whatever browser. */
export function findLink(store: Store, token: string, purpose: LinkPurpose, now: number): LinkEntry | undefined {
  return linkOfToken<LinkRecord>(store, linkCollection, token, purpose, now);
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
