import { diff } from '../../../kernel/audit/index.ts';
import { type AdminDependencies, invalid, type Transaction } from '../../../kernel/transactions/index.ts';
import type { Log, OutboundGuard, Sealer } from '../../../platform/index.ts';
import { begun, requireTarget, subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import { SealedParts } from '../records/sealed-parts.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { channelName, type WebhookEntry, type WebhookRecord, webhookRecords } from '../records/webhook-record.ts';
import { requireRoom } from '../records/webhook-roll.ts';
import { tellOf } from './webhook-audit.ts';
import type { NewWebhook, WebhookInput } from './webhook-bodies.ts';
import { keepSecretsWithHost, sealedAuthentication, sealedHeaders } from './webhook-rules.ts';
import { makeSecret, rotated, sealedPair } from './webhook-secrets.ts';

/** What changes of webhooks work with. */
export interface WebhookDependencies extends AdminDependencies {
  readonly outbound: OutboundGuard;
  readonly sealer: Sealer;
  readonly log: Log;
}

export type WebhookTransaction = Transaction<WebhookDependencies>;

/** It begins with what is committed after it. Answers its id, and the secret, which only the answer to this shows. */
export function createWebhook(
  transaction: WebhookTransaction,
  form: WebhookForm,
  input: NewWebhook,
): { readonly id: string; readonly secret: string } {
  const { now, caller, dependencies } = transaction;
  transaction.require('settings.manage');
  requireRoom(transaction);
  const id = transaction.newId();
  const parts = new SealedParts(dependencies.sealer, caller.organization, id);
  const { isActive = true } = input;
  const { text, secret } = makeSecret(parts, now, input.asymmetric ?? false, input.secret);
  const empty: WebhookRecord = {
    form: form.catalog,
    url: input.url,
    description: '',
    events: input.events,
    resources: [],
    payload: 'full',
    headers: [],
    secrets: [secret],
    isActive: true,
    createdAt: now,
    createdBy: caller.subject ?? 'platform',
    updatedAt: now,
  };
  requireTarget(dependencies.outbound, 'url', input.url);
  const document = switched(changedDocument(transaction, parts, empty, input), isActive, now);
  transaction.put(webhookRecords, id, document);
  begin(transaction, id);
  transaction.audit(tellOf('create', { id, version: 1, document }));
  return { id, secret: text };
}

/** What is not given stays. */
export function changeWebhook(transaction: WebhookTransaction, entry: WebhookEntry, input: WebhookInput): void {
  const { dependencies, caller, now } = transaction;
  const { id, document: before } = entry;
  const parts = new SealedParts(dependencies.sealer, caller.organization, id);
  if (input.url !== undefined && input.url !== before.url) {
    requireTarget(dependencies.outbound, 'url', input.url);
    keepSecretsWithHost(before, input.url, input);
  }
  const changed = changedDocument(transaction, parts, before, input);
  const document = switched(changed, input.isActive ?? before.isActive, now);
  const changes = diff(before, document, ['url', 'headers', 'authentication', 'secrets']);
  if (Object.keys(changes).length === 0) return transaction.drop(undefined);
  transaction.put(webhookRecords, id, { ...document, updatedAt: now });
  if (document.isActive && !before.isActive) begin(transaction, id);
  transaction.audit(tellOf('update', { ...entry, document }, { changes }));
}

/** What happened while it was off is not sent; a replay does that. */
export function switchWebhook(transaction: WebhookTransaction, entry: WebhookEntry, isActive: boolean): void {
  if (entry.document.isActive === isActive) return transaction.drop(undefined);
  const document = { ...switched(entry.document, isActive, transaction.now), updatedAt: transaction.now };
  transaction.put(webhookRecords, entry.id, document);
  if (isActive) begin(transaction, entry.id);
  transaction.audit(tellOf(isActive ? 'enable' : 'disable', { ...entry, document }));
}

/** Answers the new secret. */
export function rotateSecret(
  transaction: WebhookTransaction,
  entry: WebhookEntry,
  { expireOldAfterSeconds, secret: given }: { expireOldAfterSeconds: number; secret?: string | undefined },
): string {
  const { dependencies, caller, now } = transaction;
  const parts = new SealedParts(dependencies.sealer, caller.organization, entry.id);
  const { secrets } = entry.document;
  const { text, secret } = makeSecret(parts, now, secrets[0]?.pair !== undefined, given);
  const document = {
    ...entry.document,
    secrets: rotated(secrets, secret, now, expireOldAfterSeconds * 1000),
    updatedAt: now,
  };
  transaction.put(webhookRecords, entry.id, document);
  transaction.audit(tellOf('rotate_secret', { ...entry, document }, { expireOldAfterSeconds }));
  return text;
}

/** What was on its way to it is not sent any more. */
export function deleteWebhook(transaction: WebhookTransaction, entry: WebhookEntry): void {
  transaction.delete(webhookRecords, entry.id);
  transaction.delete(subscriptionStateRecords, subscriptionKey(channelName, entry.id));
  transaction.audit(tellOf('delete', entry));
}

function changedDocument(
  { dependencies }: WebhookTransaction,
  parts: SealedParts,
  before: WebhookRecord,
  input: WebhookInput,
): WebhookRecord {
  const { authentication: was, ...rest } = before;
  const { url, description, events, resources, payload, headers, authentication, asymmetric } = input;
  if (authentication?.type === 'oauth') {
    requireTarget(dependencies.outbound, 'authentication.tokenUrl', authentication.tokenUrl);
  }
  const is = authentication
    ? sealedAuthentication(parts, authentication, was)
    : authentication === null
      ? undefined
      : was;
  const own = headers === undefined ? before.headers : sealedHeaders(parts, headers, before.headers);
  if (is?.type === 'oauth' && own.some(({ name }) => name === 'authorization')) {
    throw invalid('headers.authorization', 'cannot be sent beside a token');
  }
  return {
    ...rest,
    url: url ?? before.url,
    description: description ?? before.description,
    events: events ?? before.events,
    resources: resources ?? before.resources,
    payload: payload ?? before.payload,
    headers: own,
    ...(is === undefined ? {} : { authentication: is }),
    secrets: withPairs(parts, before.secrets, asymmetric),
  };
}

/** Ed25519 is added to the newest secret, or taken from all. */
function withPairs(
  parts: SealedParts,
  secrets: WebhookRecord['secrets'],
  isAsymmetric: boolean | undefined,
): WebhookRecord['secrets'] {
  const [newest, ...others] = secrets;
  if (isAsymmetric === undefined || newest === undefined || isAsymmetric === (newest.pair !== undefined))
    return secrets;
  if (isAsymmetric) return [{ ...newest, pair: sealedPair(parts) }, ...others];
  return secrets.map(({ pair: _, ...rest }) => rest);
}

function switched(webhook: WebhookRecord, isActive: boolean, now: number): WebhookRecord {
  if (webhook.isActive === isActive) return webhook;
  const { disabledReason: _, disabledAt: __, ...rest } = webhook;
  return isActive ? { ...rest, isActive } : { ...rest, isActive, disabledReason: 'administrator', disabledAt: now };
}

/** From the last event that there is. What was counted before stays. */
function begin(transaction: Transaction, id: string): void {
  const key = subscriptionKey(channelName, id);
  transaction.get(subscriptionStateRecords, key); // the dispatcher writes it too
  transaction.change([begun(transaction.store, key)]);
}
