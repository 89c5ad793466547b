import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { WebhookForm } from '../records/webhook-form.ts';
import { standardKey, textKey } from './secret-key.ts';

/** A secret that signs now, with its pair where the webhook has one. */
export interface OpenSecret {
  readonly text: string;
  readonly privateKey?: KeyObject;
}

export interface SignedMessage {
  /** Of the event: the same in each attempt, and for whoever gets the event again. */
  readonly eventId: string;
  readonly deliveryId: string;
  readonly type: string;
  readonly body: string;
  /** Of this attempt, in milliseconds since the epoch. */
  readonly sentAt: number;
}

/**
 * The headers that a delivery is verified by: those of the specification ("Headers and signature") and those of Standard
 * Webhooks 1.0.
 * @param secrets the newest first; the specification's header is that of the newest, and while an older one is still
 * valid a second header is that of the older
 */
export function signatureHeaders(
  { headerPrefix, signaturePrefix }: WebhookForm,
  message: SignedMessage,
  secrets: readonly OpenSecret[],
): Record<string, string> {
  const { eventId, deliveryId, type, body, sentAt } = message;
  const timestamp = String(Math.floor(sentAt / 1000));
  const [newest, older] = secrets.map(({ text }) => signaturePrefix + hmac(textKey(text), body, 'hex'));
  const signed = `${eventId}.${timestamp}.${body}`;
  return {
    ...(newest === undefined ? {} : { [`${headerPrefix}-signature`]: newest }),
    ...(older === undefined ? {} : { [`${headerPrefix}-signature-old`]: older }),
    [`${headerPrefix}-event`]: type,
    [`${headerPrefix}-delivery-id`]: deliveryId,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.flatMap((each) => standardSignatures(each, signed)).join(' '),
  };
}

function standardSignatures({ text, privateKey }: OpenSecret, signed: string): string[] {
  const symmetric = `v1,${hmac(standardKey(text), signed, 'base64')}`;
  if (privateKey === undefined) return [symmetric];
  return [symmetric, `v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`];
}

function hmac(key: Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}
