import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { getUser } from '../../directory/index.ts';
import { linkOfToken, newLinkToken } from './link-token.ts';

/** Collection of an organization's store, so that a link opens nothing in another one. */
const linkCollection = 'user_links';

export type LinkPurpose = 'reset-password' | 'verify-email' | 'change-email';

const purposes: readonly LinkPurpose[] = ['reset-password', 'verify-email', 'change-email'];

/** How long a link can be followed. */
export const linkLifetimes: Readonly<Record<LinkPurpose, number>> = {
  'reset-password': 60 * 60 * 1000,
  'verify-email': 24 * 60 * 60 * 1000,
  'change-email': 60 * 60 * 1000,
};

/** A link that was mailed to a user, once: never its token. Times are milliseconds since the epoch. */
export interface LinkRecord {
  readonly purpose: LinkPurpose;
  readonly userId: string;
  /** Where it was sent. With another address a link is void that does not bring that address. */
  readonly email: string;
  /** SHA-256 of the token. */
  readonly digest: string;
  readonly expiresAt: number;
}

export type LinkEntry = RecordEntry<LinkRecord>;

export interface NewLink {
  /** For the mail alone. */
  readonly token: string;
  readonly expiresAt: number;
  readonly change: Change;
}

/** A user has one link of each purpose: a new one ends the one before. */
export function newLink(
  store: Store,
  user: { readonly id: string; readonly email: string },
  purpose: LinkPurpose,
  now: number,
): NewLink {
  const { token, digest } = newLinkToken();
  const expiresAt = now + linkLifetimes[purpose];
  const document: LinkRecord = { purpose, userId: user.id, email: user.email, digest, expiresAt };
  const record = { collection: linkCollection, id: linkId(purpose, user.id), document, unique: { digest } };
  return { token, expiresAt, change: { op: 'put_record', store: store.name, record } };
}

/** A link that can still be followed. */
export function findLink(store: Store, token: string, purpose: LinkPurpose, now: number): LinkEntry | undefined {
  return linkOfToken<LinkRecord>(store, linkCollection, token, purpose, now);
}

/** When the user's link of a purpose was made, where there is one: for limits on mail. */
export function linkMadeAt(store: Store, userId: string, purpose: LinkPurpose): number | undefined {
  const expiresAt = store.records.get<LinkRecord>(linkCollection, linkId(purpose, userId))?.document.expiresAt;
  return expiresAt === undefined ? undefined : expiresAt - linkLifetimes[purpose];
}

/** Whether a link can still be followed, for the page that it opens. To be called inside `Engine.read`. */
export function isOpenLink(store: Store, token: string, purpose: LinkPurpose, now: number): boolean {
  const link = findLink(store, token, purpose, now);
  return link !== undefined && getUser(store, link.document.userId)?.document.email === link.document.email;
}

/** Follows a link for the only time: of two who try at once, one command is applied. */
export function spend({ name: store }: Store, { id, version }: LinkEntry): { change: Change; spent: Precondition } {
  const place = { store, collection: linkCollection, id };
  return { change: { op: 'delete_record', ...place }, spent: { require: 'record_version', ...place, version } };
}

/** Every link of a user. */
export function clearLinks({ name: store }: Store, userId: string): Change[] {
  return purposes.map((purpose) => ({
    op: 'delete_record',
    store,
    collection: linkCollection,
    id: linkId(purpose, userId),
  }));
}

export function clearLink({ name: store }: Store, userId: string, purpose: LinkPurpose): Change {
  return { op: 'delete_record', store, collection: linkCollection, id: linkId(purpose, userId) };
}

function linkId(purpose: LinkPurpose, userId: string): string {
  return `${purpose}:${userId}`;
}
