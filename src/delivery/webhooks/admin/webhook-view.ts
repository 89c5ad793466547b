import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import { subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { channelName, disabledReasons, type WebhookEntry, type WebhookRecord } from '../records/webhook-record.ts';
import { MASK } from './webhook-bodies.ts';

const moment = z.string().nullable();

/** A webhook as its form shows it. */
export function webhookSchema({ active }: WebhookForm) {
  return z.strictObject({
    id: z.string(),
    url: z.string(),
    description: z.string(),
    events: z.array(z.string()),
    [active]: z.boolean(),
    resources: z.array(z.string()),
    payload: z.enum(['full', 'thin']),
    headers: z.record(z.string(), z.string()),
    authentication: z
      .union([
        z.strictObject({
          type: z.literal('oauth'),
          tokenUrl: z.string(),
          clientId: z.string(),
          clientSecret: z.string(),
          scope: z.string().optional(),
        }),
        z.strictObject({ type: z.literal('mtls'), certificate: z.string(), privateKey: z.string() }),
      ])
      .nullable(),
    asymmetric: z.boolean(),
    publicKeys: z.array(z.string()).describe('Of the Ed25519 signatures: `whpk_` and base64, the newest first'),
    secrets: z.array(z.strictObject({ createdAt: z.string(), expiresAt: moment })).describe('The newest first'),
    disabledReason: z.enum(disabledReasons).nullable(),
    disabledAt: moment,
    failureCount: z.int().describe('Deliveries that failed, one after the other, since the last that arrived'),
    deliveredCount: z.int(),
    failedCount: z.int(),
    lastDeliveredAt: moment,
    lastFailedAt: moment,
    createdBy: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  });
}

/** To be called inside `Engine.read`. */
export function webhookView(store: Store, { id, document }: WebhookEntry, form: WebhookForm): object {
  const state = subscriptionStateRecords.get(store, subscriptionKey(channelName, id))?.document;
  const { url, description, events, resources, payload, secrets, isActive } = document;
  const pairs = secrets.flatMap(({ pair }) => pair ?? []);
  return {
    id,
    url,
    description,
    events,
    [form.active]: isActive,
    resources,
    payload,
    headers: Object.fromEntries(document.headers.map(({ name }) => [name, MASK])),
    authentication: authenticationView(document.authentication),
    asymmetric: secrets[0]?.pair !== undefined,
    publicKeys: pairs.map(({ publicKey }) => publicKey),
    secrets: secrets.map(({ createdAt, endsAt }) => ({
      createdAt: isoTime(createdAt),
      expiresAt: isoTimeOrNull(endsAt),
    })),
    disabledReason: document.disabledReason ?? null,
    disabledAt: isoTimeOrNull(document.disabledAt),
    failureCount: state?.consecutiveFailures ?? 0,
    deliveredCount: state?.delivered ?? 0,
    failedCount: state?.failed ?? 0,
    lastDeliveredAt: isoTimeOrNull(state?.lastDeliveredAt),
    lastFailedAt: isoTimeOrNull(state?.lastFailedAt),
    createdBy: document.createdBy,
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
  };
}

function authenticationView(authentication: WebhookRecord['authentication']): object | null {
  if (authentication === undefined) return null;
  if (authentication.type === 'mtls') {
    return { type: 'mtls', certificate: authentication.certificate, privateKey: MASK };
  }
  const { sealedSecret: _, ...shown } = authentication;
  return { ...shown, clientSecret: MASK };
}
