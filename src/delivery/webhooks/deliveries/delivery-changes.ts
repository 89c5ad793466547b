import { ProblemError, problem } from '../../../http/index.ts';
import { invalid, notFound, refused, type Transaction } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { deliveryRecords, type ReplayRecord, replayRecords, subscriptionKey } from '../../dispatch/index.ts';
import { tellOf } from '../admin/webhook-audit.ts';
import { channelName, type WebhookEntry } from '../records/webhook-record.ts';
import { replayRange } from './replay-range.ts';

const DAY_MS = 86_400_000;
/** How long what became of a replay can be asked for. */
const REPLAY_KEPT_MS = 30 * DAY_MS;

/** Once more, at once: another round of attempts. @returns the id of the delivery */
export function redeliver(transaction: Transaction, webhook: WebhookEntry, deliveryId: string): string {
  requireActive(webhook);
  const { now } = transaction;
  const { document } = transaction.existing(deliveryRecords, deliveryId);
  if (document.subscription !== subscriptionKey(channelName, webhook.id)) throw notFound();
  const again = {
    ...document,
    status: 'pending' as const,
    round: document.round + 1,
    dueAt: now,
    keptUntil: Math.max(document.keptUntil, now + DAY_MS),
  };
  transaction.put(deliveryRecords, deliveryId, again);
  transaction.audit(tellOf('redeliver', webhook, { deliveryId, event: document.type }));
  return deliveryId;
}

/** What happened in a span of time, in its order, beside what happens meanwhile. @returns the id of the replay */
export function replay(
  transaction: Transaction,
  webhook: WebhookEntry,
  span: { readonly since: string; readonly until?: string | undefined },
): string {
  const since = Date.parse(span.since);
  const until = span.until === undefined ? undefined : Date.parse(span.until);
  if (until !== undefined && until < since) throw invalid('until', 'must not be before since');
  requireActive(webhook);
  const { store, now, caller } = transaction;
  const subscription = subscriptionKey(channelName, webhook.id);
  requireNone(transaction, subscription);
  const { from, to } = replayRange(store, since, until);
  const document: ReplayRecord = {
    subscription,
    from,
    to,
    position: from,
    status: from === to ? 'done' : 'running',
    sent: 0,
    createdBy: caller.subject ?? 'platform',
    createdAt: now,
    ...(from === to ? { finishedAt: now } : {}),
    keptUntil: now + REPLAY_KEPT_MS,
  };
  const replayId = transaction.newId();
  transaction.put(replayRecords, replayId, document);
  transaction.audit(tellOf('replay', webhook, { replayId, since: isoTime(since), events: to - from }));
  return replayId;
}

/** Of two that are asked for at the same moment, the second is refused too. @throws ProblemError 409 */
function requireNone(transaction: Transaction, subscription: string): void {
  const { store } = transaction;
  if (replayRecords.index(store).ids('running', subscription, { limit: 1 }).length > 0) {
    throw new ProblemError(problem('conflict', 'A replay to this webhook is already running.'));
  }
  transaction.expect([replayRecords.free(store, ['running', subscription])]);
}

/** @throws ProblemError 422 */
function requireActive({ document: { isActive } }: WebhookEntry): void {
  if (!isActive) throw refused('The webhook is disabled.');
}
