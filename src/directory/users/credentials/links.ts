import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { StoreChanges } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord, type RecordKind } from '../../../kernel/records/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { digestOf, randomText } from '../../../platform/index.ts';
import { getUser, type UserEntry } from '../../records/index.ts';

/** 43 characters of 62 are 256 random bits. */
const TOKEN_LENGTH = 43;

/** The token of a link for the mail alone, and what a record keeps of it, under the unique key `digest`. */
export function newLinkToken(): { readonly token: string; readonly digest: string } {
  const token = randomText(TOKEN_LENGTH);
  return { token, digest: digestOf(token) };
}

/** The record of a link that can still be followed. Only digests are compared, by the index. */
export function linkOfToken<T extends { readonly purpose: string; readonly expiresAt: number }>(
  store: Store,
  kind: Pick<RecordKind<T>, 'byUnique'>,
  token: string,
  purpose: T['purpose'],
  now: number,
): RecordEntry<T> | undefined {
  if (token.length !== TOKEN_LENGTH) return undefined;
  const entry = kind.byUnique(store, 'digest', digestOf(token));
  return entry?.document.purpose === purpose && now < entry.document.expiresAt ? entry : undefined;
}

const purposes = ['reset-password', 'verify-email', 'change-email'] as const;

export type LinkPurpose = (typeof purposes)[number];

/** How long a link can be followed. */
export const linkLifetimes: Readonly<Record<LinkPurpose, number>> = {
  'reset-password': 60 * 60 * 1000,
  'verify-email': 24 * 60 * 60 * 1000,
  'change-email': 60 * 60 * 1000,
};

/**
 * Links that were mailed to users, once: never their tokens. A record's id names the purpose and the user (`linkId`). They
 * are of one organization, so that a link opens nothing in another one. Times are milliseconds since the epoch.
 */
export const linkRecords = defineRecord({
  collection: 'user_links',
  holds:
    'a link that was mailed to a user: its digest and the address; until it is followed, another is sent, or its user goes',
  schema: z.strictObject({
    purpose: z.enum(purposes),
    userId: z.string(),
    /** Where it was sent. With another address a link is void that does not bring that address. */
    email: z.string(),
    /** SHA-256 of the token. */
    digest: z.string(),
    expiresAt: z.number(),
  }),
  unique: ({ digest }) => ({ digest }),
});

export type LinkEntry = RecordEntry<DocumentOf<typeof linkRecords>>;

/** A user has one link of each purpose: a new one ends the one before. Its token is for the mail alone. */
export function newLink(
  transaction: OrganizationTransaction,
  { id, email }: { readonly id: string; readonly email: string },
  purpose: LinkPurpose,
): { readonly token: string; readonly expiresAt: number } {
  const { token, digest } = newLinkToken();
  const expiresAt = transaction.now + linkLifetimes[purpose];
  transaction.put(linkRecords, linkId(purpose, id), { purpose, userId: id, email, digest, expiresAt });
  return { token, expiresAt };
}

/** A link that can still be followed. */
export function findLink(store: Store, token: string, purpose: LinkPurpose, now: number): LinkEntry | undefined {
  return linkOfToken(store, linkRecords, token, purpose, now);
}

/** When the user's link of a purpose was made, where there is one: for limits on mail. */
export function linkMadeAt(store: Store, userId: string, purpose: LinkPurpose): number | undefined {
  const expiresAt = linkRecords.get(store, linkId(purpose, userId))?.document.expiresAt;
  return expiresAt === undefined ? undefined : expiresAt - linkLifetimes[purpose];
}

/** The same with its user, who still has the address that it was sent to. To be called inside `Engine.read`. */
export function followLink(store: Store, token: string, purpose: LinkPurpose, now: number) {
  const link = findLink(store, token, purpose, now);
  const user = link && getUser(store, link.document.userId);
  return link !== undefined && user?.document.email === link.document.email ? { link, user } : undefined;
}

/** Whom a link is for that can still be followed, for the page that it opens. To be called inside `Engine.read`. */
export function userOfLink(store: Store, token: string, purpose: LinkPurpose, now: number): UserEntry | undefined {
  return followLink(store, token, purpose, now)?.user;
}

/** Follows a link for the only time: of two who try at once, one command is applied. */
export function spend(changes: StoreChanges, link: LinkEntry): void {
  changes.rely(linkRecords, link);
  changes.delete(linkRecords, link.id);
}

/** Takes away the links of a user: every one, or those of some purposes. */
export function clearLinks(changes: StoreChanges, userId: string, ...of: readonly LinkPurpose[]): void {
  const cleared = of.length === 0 ? purposes : of;
  changes.delete(linkRecords, ...cleared.map((purpose) => linkId(purpose, userId)));
}

function linkId(purpose: LinkPurpose, userId: string): string {
  return `${purpose}:${userId}`;
}
