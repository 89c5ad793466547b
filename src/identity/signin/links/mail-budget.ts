import { z } from 'zod';
import type { Change, Precondition, Store } from '#engine';
import { emailKey } from '../../../directory/records/index.ts';
import { ProblemError, tooManyRequests } from '../../../http/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';
import { addressKey } from '../../limits/index.ts';

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

export interface Counted {
  readonly mayBeSent: boolean;
  readonly changes: readonly Change[];
  /** Of many at once each counts. */
  readonly preconditions: readonly Precondition[];
}

/**
 * Counts a mail to an address, whether or not anybody has it here. To be called inside `Engine.read`.
 * @throws ProblemError 429 where too many were asked for from this network, for whomever
 */
export function countMail(store: Store, email: string, network: string, now: number): Counted {
  const inbox = count(store, inboxOf(email), now);
  const sender = count(store, `from ${addressKey(network)}`, now);
  if (sender.document.count > NETWORK_MAX) {
    throw new ProblemError(tooManyRequests(Math.ceil((sender.document.since + WINDOW_MS - now) / 1000)));
  }
  return {
    mayBeSent: inbox.document.count <= INBOX_MAX,
    changes: [inbox.change, sender.change],
    preconditions: [inbox.unchanged, sender.unchanged],
  };
}

/** The same of a mail that nobody asked for: it counts against the inbox alone. To be called inside `Engine.read`. */
export function countInbox(store: Store, email: string, now: number): Counted {
  const inbox = count(store, inboxOf(email), now);
  return {
    mayBeSent: inbox.document.count <= INBOX_MAX,
    changes: [inbox.change],
    preconditions: [inbox.unchanged],
  };
}

/** What stands behind a plus leads to the same inbox. */
function inboxOf(email: string): string {
  return emailKey(email).replace(/\+[^@]*@/, '@');
}

function count(store: Store, name: string, now: number) {
  const id = digestOf(name);
  const known = mailCountRecords.get(store, id);
  const isOver = known === undefined || now >= known.document.since + WINDOW_MS;
  const document: MailCount = isOver
    ? { count: 1, since: now }
    : { ...known.document, count: known.document.count + 1 };
  return {
    document,
    change: mailCountRecords.put(store, id, document),
    unchanged: mailCountRecords.asRead(store, id, known),
  };
}
