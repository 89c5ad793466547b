import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import type { ClockedProvider } from '../../protocols/oauth/in-process.ts';

/** A token that nobody issued, made from a good one. */
export interface Forgery {
  readonly name: string;
  readonly make: (good: string) => string | Promise<string>;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signatureOf = (token: string) => token.split('.')[2] ?? '';

interface Head {
  readonly alg: string;
  readonly kid: string;
  readonly typ?: string;
}

/** Every way in which a token of the provider can be counterfeited that RFC 8725 and RFC 9700 name. */
export function forgeries(provider: ClockedProvider, other: ClockedProvider): Forgery[] {
  const head = (good: string) => decodeProtectedHeader(good) as unknown as Head;
  const unsigned = (alg: string, signature: string) => (good: string) =>
    `${encode({ ...head(good), alg })}.${encode(decodeJwt(good))}.${signature}`;
  const publicKeyOf = async (good: string) => {
    const jwk = (await provider.keySet()).find(({ kid }) => kid === head(good).kid);
    return { jwk, key: (await importJWK({ ...jwk }, head(good).alg)) as CryptoKey };
  };
  const resigned =
    (change: (payload: JWTPayload) => JWTPayload, with_: object = {}) =>
    async (good: string) => {
      const { alg } = head(good);
      const { key } = await provider.service.signingKeys().signer(provider.organization.organization, alg as 'ES256');
      return new SignJWT(change(decodeJwt(good))).setProtectedHeader({ ...head(good), ...with_, alg }).sign(key.key);
    };
  const claims = (changed: object) => resigned((payload) => ({ ...payload, ...changed }) as JWTPayload);
  return [
    { name: 'alg none', make: unsigned('none', '') },
    { name: 'alg NoNe', make: unsigned('NoNe', '') },
    { name: 'alg none with the old signature', make: (good) => unsigned('none', signatureOf(good))(good) },
    { name: 'no signature under its own alg', make: (good) => good.replace(/[^.]+$/, '') },
    {
      name: 'HS256 with the public key as the secret',
      make: async (good) => {
        const input = `${encode({ ...head(good), alg: 'HS256' })}.${encode(decodeJwt(good))}`;
        const secret = await exportSPKI((await publicKeyOf(good)).key);
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      },
    },
    { name: 'the algorithm of another key', make: (good) => confused(good, head(good)) },
    { name: 'a key of the forger', make: (good) => stranger(good, {}) },
    { name: 'a key of the forger, injected as jwk', make: (good) => stranger(good, 'jwk') },
    { name: 'a key of the forger, at jku', make: (good) => stranger(good, { jku: 'https://evil.example/keys' }) },
    { name: 'a key of the forger, at x5u', make: (good) => stranger(good, { x5u: 'https://evil.example/key' }) },
    { name: 'a key of the forger, under no kid', make: (good) => stranger(good, { kid: undefined }) },
    { name: 'an unknown critical header', make: (good) => withHead(good, { crit: ['x'], x: 1 }) },
    { name: 'a wrong iss', make: claims({ iss: 'https://evil.example' }) },
    { name: 'the iss of another organization', make: claims({ iss: other.issuer }) },
    { name: 'a wrong aud', make: claims({ aud: 'https://evil.example' }) },
    { name: 'the aud of another organization', make: claims({ aud: `${other.issuer}/api/v1` }) },
    { name: 'a subject that is nobody', make: claims({ sub: 'nobody' }) },
    {
      name: 'a payload that was changed',
      make: (good) => good.replace(/\.[^.]+\./, `.${encode({ ...decodeJwt(good), sub: 'x' })}.`),
    },
    { name: 'a signature that was changed', make: (good) => good.replace(/.{6}$/, 'AAAAAA') },
    { name: 'two tokens in one', make: (good) => `${good}.${good}` },
    { name: 'no token at all', make: () => 'x' },
  ];
}

function withHead(good: string, more: object): string {
  return good.replace(/^[^.]+/, encode({ ...decodeProtectedHeader(good), ...more }));
}

function confused(good: string, { alg }: Head): string {
  return withHead(good, { alg: alg === 'RS256' ? 'ES256' : 'RS256' });
}

/** Signed well, by somebody else, in the algorithm that the token has. */
function stranger(good: string, more: 'jwk' | Readonly<Record<string, unknown>>): string {
  const { alg } = decodeProtectedHeader(good);
  const { publicKey, privateKey } = pair(alg);
  const extra = more === 'jwk' ? { jwk: publicKey.export({ format: 'jwk' }) } : more;
  const input = `${encode({ ...decodeProtectedHeader(good), ...extra })}.${encode(decodeJwt(good))}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

function pair(alg: string | undefined): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return alg === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
