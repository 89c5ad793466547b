import type { OutboundGuard, Sealer } from '../../../platform/index.ts';
import type { AttemptRequest, Sending } from '../../dispatch/index.ts';
import { SealedParts } from '../records/sealed-parts.ts';
import { webhookForms } from '../records/webhook-form.ts';
import type { WebhookRecord } from '../records/webhook-record.ts';
import type { OpenSecrets } from '../signing/open-secrets.ts';
import { signatureHeaders } from '../signing/signature-headers.ts';
import type { ClientTokens } from './client-tokens.ts';

/** What requests are made with. */
export interface RequestServices {
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
}

export interface Kept {
  readonly secrets: OpenSecrets;
  readonly tokens: ClientTokens;
}

const UNAUTHORIZED = 401;

/**
 * One attempt, signed at its time.
 * @throws OutboundError where no token is given out for it
 */
export async function webhookRequest(
  { sealer, outbound }: RequestServices,
  { secrets, tokens }: Kept,
  { organization, subscription, id: deliveryId, delivery, now }: Sending<WebhookRecord>,
): Promise<AttemptRequest> {
  const { id, document } = subscription;
  const { url, form, authentication, headers } = document;
  const parts = new SealedParts(sealer, organization, id);
  const own = Object.fromEntries(headers.map(({ name, sealed }) => [name, parts.open(`header.${name}`, sealed)]));
  const { eventId, type, payload: body, contentType } = delivery;
  const signed = signatureHeaders(
    webhookForms[form],
    { eventId, deliveryId, type, body, sentAt: now },
    secrets.at(sealer, organization, subscription, now),
  );
  const request: AttemptRequest = {
    url,
    method: 'POST',
    headers: { ...own, ...signed, 'content-type': contentType, 'user-agent': 'Relata-Webhooks/1', accept: '*/*' },
    body,
  };
  if (authentication === undefined) return request;
  if (authentication.type === 'mtls') {
    const { certificate, sealedKey } = authentication;
    return { ...request, identity: { certificate, key: parts.open('authentication', sealedKey) } };
  }
  const { sealedSecret, ...client } = authentication;
  const credentials = { ...client, clientSecret: parts.open('authentication', sealedSecret) };
  const key = `${organization.id}\n${id}\n${sealedSecret}\n${client.scope ?? ''}`;
  // a token that was refused may have been withdrawn
  if (delivery.attempts.at(-1)?.status === UNAUTHORIZED) tokens.forget(key);
  const token = await tokens.get(outbound, key, credentials, now);
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
