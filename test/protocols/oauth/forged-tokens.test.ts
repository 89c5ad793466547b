import { createHmac } from 'node:crypto';
import {
  type CryptoKey,
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClockedProvider } from './in-process.ts';

let provider: ClockedProvider;
let other: ClockedProvider;
let good: string;
let payload: JWTPayload;
let header: Readonly<Record<string, string>>;

beforeAll(async () => {
  provider = await ClockedProvider.start('forged');
  other = await provider.neighbour('other');
  good = await provider.token(await provider.client(['settings.manage'], ['settings.manage']));
  payload = decodeJwt(good);
  const { kid = '' } = (await provider.keySet()).find(({ alg }) => alg === 'ES256') ?? {};
  header = { alg: 'ES256', typ: 'at+jwt', kid };
});
afterAll(() => provider.service.stop());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed by the organization's own key. */
async function signed(claims: JWTPayload, head: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { key } = await provider.service.signingKeys().signer(provider.organization.organization, 'ES256');
  return new SignJWT(claims).setProtectedHeader({ ...header, ...head, alg: 'ES256' }).sign(key.key);
}

async function stranger(head: (publicKey: CryptoKey) => Promise<object> = async () => ({})): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const protectedHeader = { ...header, alg: 'ES256', ...(await head(publicKey)) };
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(privateKey);
}

async function publicPem(): Promise<string> {
  const jwk = (await provider.keySet()).find(({ alg }) => alg === 'ES256');
  return exportSPKI((await importJWK({ ...jwk }, 'ES256')) as CryptoKey);
}

function hmac(alg: string, secret: string): string {
  const input = `${encode({ ...header, alg })}.${encode(payload)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const withClaims = (claims: object) => () => signed({ ...payload, ...claims });
const without = (name: string) => () =>
  signed(Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name)));

const forgeries: [name: string, make: () => string | Promise<string>][] = [
  ['no signature, alg none', () => `${encode({ ...header, alg: 'none' })}.${encode(payload)}.`],
  ['alg none with a signature', () => `${encode({ ...header, alg: 'none' })}.${encode(payload)}.AAAA`],
  ['alg NONE', () => `${encode({ ...header, alg: 'NONE' })}.${encode(payload)}.AAAA`],
  ['HS256 with the public key as the secret (PEM)', async () => hmac('HS256', await publicPem())],
  [
    'HS256 with the public key as the secret (JWK)',
    async () => hmac('HS256', JSON.stringify((await provider.keySet())[0])),
  ],
  ['RS256 named for a key of ES256', async () => good.replace(/^[^.]+/, encode({ ...header, alg: 'RS256' }))],
  ['ES384 named for a key of ES256', () => good.replace(/^[^.]+/, encode({ ...header, alg: 'ES384' }))],
  ['a key of the forger’s own', () => stranger()],
  ['a key of the forger’s own, in jwk', () => stranger(async (key) => ({ jwk: await exportJWK(key) }))],
  ['a key of the forger’s own, at jku', () => stranger(async () => ({ jku: 'https://evil.test/keys' }))],
  ['a key of the forger’s own, in x5c', () => stranger(async () => ({ x5c: ['AAAA'] }))],
  ['jwk beside a good signature', async () => signed(payload, { jwk: (await provider.keySet())[0] })],
  ['an unknown kid', () => signed(payload, { kid: 'nobody' })],
  ['no kid', async () => (await signed(payload)).replace(/^[^.]+/, encode({ alg: 'ES256', typ: 'at+jwt' }))],
  ['a kid that is no text', () => good.replace(/^[^.]+/, encode({ ...header, kid: ['x'] }))],
  ['a kid that points elsewhere', () => signed(payload, { kid: '../../tokens' })],
  ['a critical extension', () => good.replace(/^[^.]+/, encode({ ...header, crit: ['x'], x: 1 }))],
  ['typ JWT, as an ID token has', () => signed(payload, { typ: 'JWT' })],
  ['no typ', () => signed(payload, { typ: undefined })],
  ['another audience', withClaims({ aud: 'https://other.test' })],
  ['the neighbour’s audience', () => signed({ ...payload, aud: `${other.issuer}/api/v1` })],
  ['no audience', without('aud')],
  ['another issuer', withClaims({ iss: 'https://other.test' })],
  ['the neighbour’s issuer', () => signed({ ...payload, iss: other.issuer })],
  ['no issuer', without('iss')],
  ['no expiry', without('exp')],
  ['no time of issue', without('iat')],
  ['no scope', without('scope')],
  ['no subject', without('sub')],
  ['an expiry in the past', withClaims({ exp: 1_000_000_000 })],
  ['a beginning in the future', withClaims({ nbf: 9_999_999_999 })],
  ['no jti', without('jti')],
  ['a jti that was never issued', withClaims({ jti: 'made-up' })],
  ['another subject', withClaims({ sub: 'somebody' })],
  ['another client', withClaims({ client_id: 'somebody' })],
  ['no client', without('client_id')],
  ['a payload that is changed', () => good.replace(/\.[^.]+\./, `.${encode({ ...payload, exp: 9_999_999_999 })}.`)],
  ['a signature that is changed', () => good.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'))],
  ['a signature that is cut', () => good.slice(0, -8)],
  ['five parts', () => `${good}.a.b`],
];

describe('RFC 9700: tokens that nobody issued', () => {
  test('the token that they are made from is good', async () => {
    expect(await provider.status(good)).toBe(200);
    expect(await provider.status(await signed(payload))).toBe(200);
  });

  test.each(forgeries)('%s is refused', async (_, make) => {
    const token = await make();
    expect(await provider.status(token)).toBe(401);
    expect(await provider.status(token, '/admin/users')).toBe(401);
  });

  test('claims of rights and scopes give nothing', async () => {
    const weak = await provider.client(['users.read'], ['users.read']);
    const issued = decodeJwt(await provider.token(weak));
    const raised = { scope: 'settings.manage', roles: ['ROLE_TENANT_ADMIN'], permissions: ['settings.manage'] };
    const token = await signed({ ...issued, ...raised });
    expect(await provider.status(token, '/admin/users')).toBe(200);
    expect(await provider.status(token, '/admin/api-keys')).toBe(403);
  });

  test('a token of another organization is nobody’s here', async () => {
    const theirs = await other.token(await other.client(['settings.manage'], ['settings.manage']));
    expect(await other.status(theirs, '/admin/users')).toBe(200);
    expect(await provider.status(theirs, '/admin/users')).toBe(401);
    expect(await other.status(good)).toBe(401);
  });
});
