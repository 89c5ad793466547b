import { z } from 'zod';
import { emailKey } from '../../../directory/records/index.ts';
import { ProblemError, tooManyRequests } from '../../../http/index.ts';
import type { StoreChanges } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { addressKey, digestOf } from '../../../platform/index.ts';

/** Nobody's inbox is filled by somebody who types their address. */
const INBOX_MAX = 6;
/** Nor are many inboxes by one who types many; an office behind one address goes on signing in. */
const NETWORK_MAX = 60;
const WINDOW_MS = 60 * 60 * 1000;

/** How many mails an inbox was sent, or a network has asked for. A record's id is the digest of which of them. */
export const mailCountRecords = defineRecord({
  collection: 'signin_mails',
  holds: 'how many mails an inbox was sent, or a network has asked for',
  schema: z.strictObject({
    count: z.int(),
    /** Milliseconds since the epoch. */
    since: z.number(),
  }),
  expires: { index: 'expires', at: ({ since }) => since + WINDOW_MS },
});

type MailCount = DocumentOf<typeof mailCountRecords>;

/**
 * Counts a mail to an address, whether or not anybody has it here. Answers whether it may be sent. Of many at once each
 * counts.
 * @throws ProblemError 429 where too many were asked for from this network, for whomever
 */
export function countMail(changes: StoreChanges, email: string, network: string, now: number): boolean {
  const mayBeSent = countInbox(changes, email, now);
  const sender = count(changes, `from ${addressKey(network)}`, now);
  if (sender.count > NETWORK_MAX) {
    throw new ProblemError(tooManyRequests(Math.ceil((sender.since + WINDOW_MS - now) / 1000)));
  }
  return mayBeSent;
}

/** The same of a mail that nobody asked for: it counts against the inbox alone. */
export function countInbox(changes: StoreChanges, email: string, now: number): boolean {
  return count(changes, inboxOf(email), now).count <= INBOX_MAX;
}

/** What stands behind a plus leads to the same inbox. */
function inboxOf(email: string): string {
  return emailKey(email).replace(/\+[^@]*@/, '@');
}

function count(changes: StoreChanges, name: string, now: number): MailCount {
  const id = digestOf(name);
  const known = changes.get(mailCountRecords, id)?.document;
  const isOver = known === undefined || now >= known.since + WINDOW_MS;
  const counted = isOver ? { count: 1, since: now } : { ...known, count: known.count + 1 };
  changes.put(mailCountRecords, id, counted);
  return counted;
}
