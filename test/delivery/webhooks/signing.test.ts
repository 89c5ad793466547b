import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookForms } from '../../../src/delivery/webhooks/records/webhook-form.ts';
import { mintPair, mintSecret, privateKeyOf } from '../../../src/delivery/webhooks/signing/mint-secret.ts';
import { signatureHeaders } from '../../../src/delivery/webhooks/signing/signature-headers.ts';

const body = '{"id":"e1","type":"user.created","data":{"name":"Zoë 😀"}}';
const message = { eventId: 'e1', deliveryId: 'd1', type: 'user.created', body, sentAt: Date.now() };

/** As the specification has it: the hex HMAC of the body with the secret, compared in constant time. */
function isSignedBy(secret: string, signature: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return signature?.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

describe.each(Object.values(webhookForms))('form $catalog', (form) => {
  const header = form.catalog === 'b' ? 'x-relata-signature' : 'x-service-signature';
  const prefix = form.catalog === 'b' ? '' : 'sha256=';
  const bare = (value: string | undefined) => {
    expect(value?.startsWith(prefix)).toBe(true);
    return value?.slice(prefix.length);
  };

  test.each([
    { name: 'made by the service', secret: mintSecret(), options: undefined },
    { name: 'of a caller, in base64', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', options: undefined },
    { name: 'of a caller, as text', secret: 'correct horse battery', options: { format: 'raw' } as const },
    { name: 'of a caller, after a prefix', secret: 'whsec_not base64!', options: { format: 'raw' } as const },
  ])('both signatures verify with a secret $name', ({ secret, options }) => {
    const headers = signatureHeaders(form, message, [{ text: secret }]);
    expect(isSignedBy(secret, bare(headers[header]))).toBe(true);
    expect(new Webhook(secret, options).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers).toMatchObject({ 'webhook-id': 'e1', [`${form.headerPrefix}-delivery-id`]: 'd1' });
    expect(headers[`${form.headerPrefix}-event`]).toBe('user.created');
    const other = mintSecret();
    expect(isSignedBy(other, bare(headers[header]))).toBe(false);
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret, options).verify(`${body} `, headers)).toThrow();
  });

  test('while two secrets are valid, whoever has either verifies', () => {
    const [newest, older] = [mintSecret(), mintSecret()];
    const headers = signatureHeaders(form, message, [{ text: newest }, { text: older }]);
    for (const secret of [newest, older]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(isSignedBy(newest, bare(headers[header]))).toBe(true);
    expect(isSignedBy(older, bare(headers[`${header}-old`]))).toBe(true);
  });
});

test('the id stays and the time moves with each attempt', () => {
  const secrets = [{ text: mintSecret() }];
  const [first, second] = [1000, 61_000].map((later) =>
    signatureHeaders(webhookForms.a, { ...message, sentAt: message.sentAt + later }, secrets),
  );
  expect(first?.['webhook-id']).toBe(second?.['webhook-id']);
  expect(Number(second?.['webhook-timestamp']) - Number(first?.['webhook-timestamp'])).toBe(60);
  expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature']);
});

test('an Ed25519 signature verifies with the public key alone', () => {
  const { publicKey, privateKey } = mintPair();
  const secret = mintSecret();
  const headers = signatureHeaders(webhookForms.b, message, [{ text: secret, privateKey: privateKeyOf(privateKey) }]);
  const [symmetric, asymmetric = ''] = headers['webhook-signature']?.split(' ') ?? [];
  expect(symmetric).toMatch(/^v1,/);
  expect(asymmetric).toMatch(/^v1a,/);
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`e1.${headers['webhook-timestamp']}.${body}`);
  const signature = Buffer.from(asymmetric.slice('v1a,'.length), 'base64');
  expect(verify(null, signed, key, signature)).toBe(true);
  expect(verify(null, Buffer.from(`${signed}x`), key, signature)).toBe(false);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});
