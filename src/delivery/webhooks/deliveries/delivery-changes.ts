import { ProblemError, problem } from '../../../http/index.ts';
import { notFound, refused, type Transaction } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import {
  type DeliveryEntry,
  deliveryRecords,
  type ReplayRecord,
  replayRecords,
  subscriptionKey,
} from '../../dispatch/index.ts';
import { tellOf } from '../admin/webhook-audit.ts';
import { existingWebhook } from '../admin/webhook-changes.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { channelName, type WebhookEntry } from '../records/webhook-record.ts';
import { replayRange } from './replay-range.ts';

const DAY_MS = 86_400_000;
/** How long what became of a replay can be asked for. */
const REPLAY_KEPT_MS = 30 * DAY_MS;

/** Once more, at once: another round of attempts. */
export function redeliver(transaction: Transaction, form: WebhookForm, id: string, deliveryId: string): DeliveryEntry {
  transaction.require('settings.manage');
  const { now } = transaction;
  const webhook = activeWebhook(transaction, form, id);
  const entry = transaction.existing(deliveryRecords, deliveryId);
  const { document } = entry;
  if (document.subscription !== subscriptionKey(channelName, id)) throw notFound();
  const again = {
    ...document,
    status: 'pending' as const,
    round: document.round + 1,
    dueAt: now,
    keptUntil: Math.max(document.keptUntil, now + DAY_MS),
  };
  transaction.put(deliveryRecords, deliveryId, again);
  transaction.audit(tellOf('redeliver', webhook, { deliveryId, event: document.type }));
  return { ...entry, document: again };
}

export interface Replay {
  readonly id: string;
  readonly document: ReplayRecord;
}

/** What happened in a span of time, in its order, beside what happens meanwhile. */
export function replay(
  transaction: Transaction,
  form: WebhookForm,
  id: string,
  span: { readonly since: number; readonly until?: number | undefined },
): Replay {
  transaction.require('settings.manage');
  const { store, now, caller } = transaction;
  const webhook = activeWebhook(transaction, form, id);
  const subscription = subscriptionKey(channelName, id);
  requireNone(transaction, subscription);
  const { from, to } = replayRange(store, span.since, span.until);
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
  const isoSpan = { since: isoTime(span.since), events: to - from };
  transaction.audit(tellOf('replay', webhook, { replayId, ...isoSpan }));
  return { id: replayId, document };
}

/** Of two that are asked for at the same moment, the second is refused too. @throws ProblemError 409 */
function requireNone(transaction: Transaction, subscription: string): void {
  const { store } = transaction;
  if (replayRecords.index(store).ids('running', subscription, { limit: 1 }).length > 0) {
    throw new ProblemError(problem('conflict', 'A replay to this webhook is already running.'));
  }
  transaction.expect([replayRecords.free(store, ['running', subscription])]);
}

function activeWebhook(transaction: Transaction, form: WebhookForm, id: string): WebhookEntry {
  const entry = existingWebhook(transaction, form, id);
  if (!entry.document.isActive) throw refused('The webhook is disabled.');
  return entry;
}
