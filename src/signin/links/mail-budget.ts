import type { Change, Precondition, Store } from '#engine';
import { emailKey } from '../../directory/index.ts';
import { ProblemError, tooManyRequests } from '../../http/index.ts';
import { addressKey } from '../../limits/index.ts';
import { digestOf, timeKey } from '../../platform/index.ts';

/** Collection of an organization's store: how many mails an inbox was sent, and a network has asked for. */
export const mailCountCollection = 'signin_mails';

interface MailCount {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Nobody's inbox is filled by somebody who types their address. */
const INBOX_MAX = 6;
/** Nor are many inboxes by one who types many; an office behind one address goes on signing in. */
const NETWORK_MAX = 60;
const WINDOW_MS = 60 * 60 * 1000;

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

/** What stands behind a plus leads to the same inbox. */
function inboxOf(email: string): string {
  return emailKey(email).replace(/\+[^@]*@/, '@');
}

function count(store: Store, name: string, now: number) {
  const place = { store: store.name, collection: mailCountCollection, id: digestOf(name) };
  const known = store.records.get<MailCount>(mailCountCollection, place.id);
  const isOver = known === undefined || now >= known.document.since + WINDOW_MS;
  const document: MailCount = isOver
    ? { count: 1, since: now }
    : { ...known.document, count: known.document.count + 1 };
  const indexes = { expires: timeKey(document.since + WINDOW_MS) };
  const record = { collection: mailCountCollection, id: place.id, document, indexes };
  const change: Change = { op: 'put_record', store: store.name, record };
  const unchanged: Precondition =
    known === undefined
      ? { require: 'record_absent', ...place }
      : { require: 'record_version', ...place, version: known.version };
  return { document, change, unchanged };
}
