import type { RecordEntry } from '#engine';
import { catalogPayloads } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { OutboundError, type OutboundGuard, outboundRequest, type Sealer } from '../../../platform/index.ts';
import { type Attempt, type DeliveryRecord, deliveryId, keptAnswer, subscriptionKey } from '../../dispatch/index.ts';
import { CONTENT_TYPE, toldAs } from '../channel/webhook-message.ts';
import { type Kept, webhookRequest } from '../channel/webhook-request.ts';
import { channelName, type WebhookRecord } from '../records/webhook-record.ts';

interface SendDependencies {
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Whoever asks waits for it. */
const TIMEOUT_MS = 15_000;
/** How long it is among the deliveries. */
const KEPT_MS = 7 * 86_400_000;

export const testName = 'webhook.test';

export interface SentTest {
  readonly id: string;
  readonly document: DeliveryRecord;
}

/** One attempt to deliver an event that tells of nothing, in the form of all others. */
export async function sendTest(
  dependencies: SendDependencies,
  kept: Kept,
  organization: Organization,
  webhook: RecordEntry<WebhookRecord>,
): Promise<SentTest> {
  const { now, newId } = dependencies;
  const { form, description, payload } = webhook.document;
  const key = subscriptionKey(channelName, webhook.id);
  const event = { id: newId(), type: testName, createdAt: now(), data: { webhook: { id: webhook.id, description } } };
  const body = catalogPayloads[form](event, organization, { name: testName, data: event.data });
  const told = toldAs(body, [key]);
  const delivery: DeliveryRecord = {
    subscription: key,
    eventId: event.id,
    type: testName,
    resources: told.resources,
    payload: told[payload],
    contentType: CONTENT_TYPE,
    status: 'pending',
    attempts: [],
    attempted: 0,
    round: 1,
    createdAt: event.createdAt,
    keptUntil: event.createdAt + KEPT_MS,
  };
  const id = deliveryId(key, event);
  const attempt = await attemptOf(dependencies, () =>
    webhookRequest(dependencies, kept, { organization, subscription: webhook, id, delivery, now: now() }),
  );
  const { status: code = 0 } = attempt;
  const status = code >= 200 && code < 300 ? 'delivered' : 'failed';
  return { id, document: { ...delivery, status, attempts: [attempt], attempted: 1 } };
}

async function attemptOf(
  { outbound, now }: SendDependencies,
  prepare: () => ReturnType<typeof webhookRequest>,
): Promise<Attempt> {
  const at = now();
  const begun = performance.now();
  const ended = (found: Partial<Attempt>): Attempt => ({
    at,
    durationMs: Math.round(performance.now() - begun),
    ...found,
  });
  try {
    const request = await prepare();
    const { status, body } = await outboundRequest(outbound, { ...request, timeoutMs: TIMEOUT_MS });
    const response = keptAnswer(body, request);
    return ended({ status, ...(response === '' ? {} : { response }) });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return ended({ error: error.code });
  }
}
