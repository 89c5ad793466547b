import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type Endpoint, queryInteger } from '../../../http/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import { deliveryRecords, type ReplayRecord, replayRecords, subscriptionKey } from '../../dispatch/index.ts';
import { webhookChanging, webhookReading } from '../admin/one-webhook.ts';
import type { WebhookDependencies } from '../admin/webhook-changes.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { channelName, type WebhookEntry } from '../records/webhook-record.ts';
import { redeliver, replay } from './delivery-changes.ts';
import {
  deliverySchema,
  deliveryStates,
  deliveryView,
  deliveryWithAttempts,
  deliveryWithAttemptsSchema,
} from './delivery-view.ts';
import { findDeliveries } from './find-deliveries.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

const deliveriesQuery = z.strictObject({
  limit: queryInteger({ min: 1, max: LIMIT_MAX, default: LIMIT_DEFAULT }),
  cursor: z
    .string()
    .regex(/^[0-9a-f-]{36}$/, 'must be the nextCursor of a page')
    .optional(),
  type: z.string().min(1).max(100).describe('Name of an event').optional(),
  status: z.enum(deliveryStates).optional(),
  resource: z.string().min(1).max(256).describe('What an event is about: `user:42`').optional(),
});

const moment = z.iso.datetime({ offset: true });
const replayBody = z.strictObject({
  since: moment.describe('From this moment on, as far as events are kept'),
  until: moment.describe('Up to the last event if omitted').optional(),
});

const replaySchema = z.strictObject({
  id: z.string(),
  status: z.enum(['running', 'done', 'ended']).describe('`ended`: the webhook was disabled or deleted meanwhile'),
  events: z.int().describe('How many the span has, for whomever they are'),
  passed: z.int().describe('How many of them are done with'),
  sent: z.int().describe('How many of those are for this webhook'),
  createdBy: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

const page = z.strictObject({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() });

/** What was sent to the webhooks of one form, and sending it again. */
export function deliveryEndpoints(dependencies: WebhookDependencies, form: WebhookForm): Endpoint[] {
  return [
    webhookReading(dependencies, form, {
      path: '/deliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'The newest first. A page whose `nextCursor` is not null may be short or empty: others follow. Payloads can be ' +
        'about people, so that this needs the permission to read the audit log.',
      permission: 'audit.read',
      query: deliveriesQuery,
      schema: page,
      read(store, webhook, _, query) {
        const { entries, cursor } = findDeliveries(store, { key: keyOf(webhook), ...query });
        return { deliveries: entries.map(deliveryView), nextCursor: cursor ?? null };
      },
    }),
    webhookReading(dependencies, form, {
      path: '/deliveries/{deliveryId}',
      summary: 'Get a delivery with its attempts',
      permission: 'audit.read',
      schema: deliveryWithAttemptsSchema,
      read: (store, webhook, { deliveryId }) =>
        deliveryWithAttempts(sentTo(webhook, deliveryRecords.get(store, deliveryId))),
    }),
    webhookChanging(dependencies, form, {
      method: 'POST',
      path: '/deliveries/{deliveryId}/redeliver',
      summary: 'Send a delivery again',
      description: 'Whether it has arrived or not, at once and with all attempts. Its ids stay the same.',
      change: (transaction, webhook, _, { deliveryId }) => redeliver(transaction, webhook, deliveryId),
      answer: {
        status: 202,
        schema: z.strictObject({ id: z.string(), status: z.enum(deliveryStates) }),
        of: (store, id) => ({ id, status: existing(deliveryRecords.get(store, id)).document.status }),
      },
    }),
    webhookChanging(dependencies, form, {
      method: 'POST',
      path: '/replay',
      summary: 'Replay events to a webhook',
      description:
        'From a moment on, in the order in which it happened, beside what happens meanwhile. The ids of events stay the ' +
        'same, so that a receiver can tell what it has had. One at a time.',
      body: replayBody,
      errors: ['conflict', 'refused', 'unavailable'],
      change: replay,
      answer: {
        status: 202,
        schema: replaySchema,
        of: (store, id) => replayView(existing(replayRecords.get(store, id))),
      },
    }),
    webhookReading(dependencies, form, {
      path: '/replays/{replayId}',
      summary: 'Get the progress of a replay',
      permission: 'settings.read',
      schema: replaySchema,
      read: (store, webhook, { replayId }) => replayView(sentTo(webhook, replayRecords.get(store, replayId))),
    }),
  ];
}

function replayView({ id, document }: RecordEntry<ReplayRecord>): z.output<typeof replaySchema> {
  const { status, from, to, position, sent, createdBy, createdAt, finishedAt } = document;
  return {
    id,
    status,
    events: to - from,
    passed: Math.max(0, Math.min(position, to) - from),
    sent,
    createdBy,
    createdAt: isoTime(createdAt),
    finishedAt: isoTimeOrNull(finishedAt),
  };
}

function keyOf({ id }: WebhookEntry): string {
  return subscriptionKey(channelName, id);
}

/** What belongs to another webhook is not there. @throws ProblemError 404 */
function sentTo<Sent extends { readonly document: { readonly subscription: string } }>(
  webhook: WebhookEntry,
  found: Sent | undefined,
): Sent {
  return existing(found?.document.subscription === keyOf(webhook) ? found : undefined);
}
