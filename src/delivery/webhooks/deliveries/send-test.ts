import type { RecordEntry } from '#engine';
import { catalogPayloads, testEvent } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type Log, type OutboundRequest, outboundRequest } from '../../../platform/index.ts';
import { deliveryId, newDelivery, sendAttempt, subscriptionKey } from '../../dispatch/index.ts';
import { CONTENT_TYPE, toldAs } from '../channel/webhook-message.ts';
import { type Kept, type RequestServices, webhookRequest } from '../channel/webhook-request.ts';
import { channelName, type WebhookRecord } from '../records/webhook-record.ts';

interface SendDependencies extends RequestServices {
  readonly log: Pick<Log, 'warn'>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Whoever asks waits for it. */
const TIMEOUT_MS = 15_000;
/** How long it is among the deliveries. */
const KEPT_MS = 7 * 86_400_000;

/** One attempt to deliver an event that tells of nothing, in the form of all others. */
export async function sendTest(
  dependencies: SendDependencies,
  kept: Kept,
  organization: Organization,
  webhook: RecordEntry<WebhookRecord>,
) {
  const { outbound, log, now, newId } = dependencies;
  const { form, description, payload } = webhook.document;
  const key = subscriptionKey(channelName, webhook.id);
  const event = testEvent({ newId, now }, { id: webhook.id, description });
  const body = catalogPayloads[form](event, organization, { name: event.type, data: event.data });
  const told = toldAs(body, [key]);
  const message = { type: event.type, resources: told.resources, payload: told[payload], contentType: CONTENT_TYPE };
  const delivery = newDelivery(key, event, message, { now: event.createdAt, keptMs: KEPT_MS });
  const id = deliveryId(key, event);
  const send = (request: OutboundRequest) => outboundRequest(outbound, { ...request, timeoutMs: TIMEOUT_MS });
  const { attempt } = await sendAttempt({ send, clock: { now }, log }, () =>
    webhookRequest(dependencies, kept, { organization, subscription: webhook, id, delivery, now: now() }),
  );
  const { dueAt: _, ...ended } = delivery;
  const { status: code = 0 } = attempt;
  const status = code >= 200 && code < 300 ? 'delivered' : 'failed';
  return { id, document: { ...ended, status, attempts: [attempt], attempted: 1 } } as const;
}
