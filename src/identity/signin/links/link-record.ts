import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { linkOfToken, newLinkToken } from '../../../directory/users/index.ts';
import type { GatheredChanges, StoreChanges } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/**
 * Links that were mailed on the way of a sign-in, never their tokens. A record's id names the purpose and the flow. Times
 * are milliseconds since the epoch.
 */
export const linkRecords = defineRecord({
  collection: 'signin_links',
  holds: 'a link that was mailed on the way of a sign-in: its digest, and the address',
  schema: z.strictObject({
    /** Signing in, making an account, setting a new password. */
    purpose: z.enum(['magic', 'signup', 'reset']),
    /** It leads on in this flow of the browser that asked. */
    flow: z.string(),
    /** Empty where nobody asked for it. */
    browser: z.string(),
    /** Where it was sent. */
    email: z.string(),
    /** Absent where nobody has the address. */
    userId: z.string().optional(),
    /** When the user's password was set: with another one, a link to set it is void. */
    passwordAt: z.number().optional(),
    /** What asked for it, for people: `Firefox 140 · Linux`. */
    from: z.string().optional(),
    askedAt: z.number().optional(),
    /** SHA-256 of the token. */
    digest: z.string(),
    expiresAt: z.number(),
  }),
  unique: ({ digest }) => ({ digest }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

export type LinkRecord = DocumentOf<typeof linkRecords>;
export type LinkPurpose = LinkRecord['purpose'];
export type LinkEntry = RecordEntry<LinkRecord>;

/**
 * A flow has one link of each purpose: a new one ends the one before, and nobody else's. Answers its token, for the mail
 * alone.
 */
export function newLink(changes: StoreChanges, link: Omit<LinkRecord, 'digest'>): string {
  const { token, digest } = newLinkToken();
  const id = `${link.purpose}:${link.flow}`;
  // so that nobody has made another since
  changes.get(linkRecords, id);
  changes.put(linkRecords, id, { ...link, digest });
  return token;
}

/** Whether a flow has a link of a purpose that can still be followed. */
export function hasLink(store: Store, purpose: LinkPurpose, flow: string, now: number): boolean {
  const link = linkRecords.get(store, `${purpose}:${flow}`);
  return link !== undefined && now < link.document.expiresAt;
}

/** A link that can still be followed, in whatever browser. */
export function findLink(store: Store, token: string, purpose: LinkPurpose, now: number): LinkEntry | undefined {
  return linkOfToken(store, linkRecords, token, purpose, now);
}

/**
 * Follows a link for the only time: of two who try at once, one command is applied.
 * @param told what else is changed with it
 */
export function spendLink(store: Store, link: LinkEntry, told: Required<GatheredChanges>): Required<GatheredChanges> {
  return {
    changes: [linkRecords.delete(store, link.id), ...told.changes],
    preconditions: [linkRecords.same(store, link), ...told.preconditions],
  };
}
