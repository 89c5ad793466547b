import type { Change, Store } from '#engine';
import { digestOf, timeKey } from '../../platform/index.ts';

/** Collection of an organization's store: how many mails an address was sent on the way of sign-ins. */
export const mailCountCollection = 'signin_mails';

interface MailCount {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Nobody's inbox is filled by somebody who types their address. */
const MAILS_MAX = 6;
const WINDOW_MS = 60 * 60 * 1000;

/** Counts a mail to an address, whether or not anybody has it here. */
export function countMail(
  store: Store,
  emailKey: string,
  now: number,
): { readonly mayBeSent: boolean; readonly change: Change } {
  const id = digestOf(emailKey);
  const known = store.records.get<MailCount>(mailCountCollection, id)?.document;
  const isOver = known === undefined || now >= known.since + WINDOW_MS;
  const document: MailCount = isOver ? { count: 1, since: now } : { ...known, count: known.count + 1 };
  const indexes = { expires: timeKey(document.since + WINDOW_MS) };
  return {
    mayBeSent: document.count <= MAILS_MAX,
    change: { op: 'put_record', store: store.name, record: { collection: mailCountCollection, id, document, indexes } },
  };
}
