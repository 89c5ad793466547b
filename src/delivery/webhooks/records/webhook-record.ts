import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** One generation of a webhook's secret. */
const secret = z.strictObject({
  /** Sealed. */
  sealed: z.string(),
  createdAt: z.number(),
  /** Until when it still signs beside a newer one; absent of the newest. */
  endsAt: z.number().exactOptional(),
  /** Ed25519, where the webhook signs with it too. */
  pair: z.strictObject({ publicKey: z.string(), sealedPrivateKey: z.string() }).exactOptional(),
});

/** How requests say who they are, beside their signature. What is secret is sealed. */
const authentication = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('oauth'),
    tokenUrl: z.string(),
    clientId: z.string(),
    sealedSecret: z.string(),
    scope: z.string().exactOptional(),
  }),
  z.strictObject({ type: z.literal('mtls'), certificate: z.string(), sealedKey: z.string() }),
]);

/** Why a webhook gets nothing. */
export const disabledReasons = ['administrator', 'failures', 'gone'] as const;

/** A webhook of one of the three forms. Ids are in the order of creation. Times are in milliseconds. */
export const webhookRecords = defineRecord({
  collection: 'webhooks',
  holds: 'where events are sent, which of them, and the secrets for it, sealed',
  schema: z.strictObject({
    /** Its form, and the catalog that its events are named by. */
    form: z.enum(['a', 'b', 'c']),
    url: z.string(),
    description: z.string(),
    /** Names of its catalog, or `*`. */
    events: z.array(z.string()).readonly(),
    /** Only events about one of these; about anything where it is empty. */
    resources: z.array(z.string()).readonly(),
    payload: z.enum(['full', 'thin']),
    /** The receiver's own, with sealed values. */
    headers: z.array(z.strictObject({ name: z.string(), sealed: z.string() })).readonly(),
    authentication: authentication.exactOptional(),
    /** The newest first. */
    secrets: z.array(secret).readonly(),
    isActive: z.boolean(),
    disabledReason: z.enum(disabledReasons).exactOptional(),
    disabledAt: z.number().exactOptional(),
    createdAt: z.number(),
    createdBy: z.string(),
    updatedAt: z.number(),
  }),
  indexes: ({ form, isActive }) => ({ form, '#all': 'all', active: isActive ? 'yes' : 'no' }),
  exported: ({ headers, authentication, secrets, ...document }) => ({
    ...document,
    headers: headers.map(({ name }) => name),
    authentication: authentication?.type ?? null,
    secrets: secrets.map(({ createdAt, endsAt }) => ({ createdAt, endsAt: endsAt ?? null })),
  }),
});

export type WebhookRecord = DocumentOf<typeof webhookRecords>;
export type WebhookEntry = RecordEntry<WebhookRecord>;
export type WebhookSecret = WebhookRecord['secrets'][number];

/** The name of webhooks as subscriptions: in states and deliveries they are `webhook:<id>`. */
export const channelName = 'webhook';

/** Of one organization, of all forms together. */
export const WEBHOOKS_MAX = 1000;

/** Of those that events are sent to now. To be called inside `Engine.read`. */
export function activeIds(store: Store): readonly string[] {
  return webhookRecords.index(store).ids('active', 'yes', { limit: WEBHOOKS_MAX });
}

/** Those of one form, in the order of creation. To be called inside `Engine.read`. */
export function webhooksOf(store: Store, form: WebhookRecord['form']): WebhookEntry[] {
  const ids = webhookRecords.index(store).ids('form', form, { limit: WEBHOOKS_MAX });
  return ids.flatMap((id) => webhookRecords.get(store, id) ?? []);
}
