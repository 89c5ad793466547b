import { BoundedMap } from '#engine';
import type { Visit } from '../../http/index.ts';

/** What a request carries as its credential. `conflict`: two different ones. */
export type Credential =
  | { readonly kind: 'none' | 'conflict' | 'malformed' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'token'; readonly token: string; readonly scheme: 'bearer' | 'dpop' };

const KEY_MAX = 4096;
const authorization = /^(ApiKey|Bearer|DPoP)[ \t]+([\x21-\x7e]+)$/i;
/** A signed token begins with `{"` in base64url and has three parts; no key does. */
const signedToken = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/**
 * `Authorization: ApiKey K`, `Authorization: Bearer K` or `X-API-Key: K` (specification, Authentication), where a
 * Bearer can also be an access token; `Authorization: DPoP T` with one that is bound to a key (RFC 9449). No cookie.
 */
export function readCredential(visit: Pick<Visit, 'header'>): Credential {
  const header = visit.header('authorization');
  const own = visit.header('x-api-key');
  if (header === '' && own === '') return { kind: 'none' };
  if (header.length > KEY_MAX || own.length > KEY_MAX) return { kind: 'malformed' };
  if (header === '') return { kind: 'key', key: own };
  if (own !== '') return read(header, own);
  const before = tokens.get(header);
  if (before !== undefined) return before;
  const credential = read(header, own);
  if (credential.kind === 'token') tokens.set(header, credential);
  return credential;
}

/** Headers with access tokens that this thread has parsed: a token is long, and is sent many times. */
const TOKENS_MAX = 2_000;
const tokens = new BoundedMap<string, Credential>(TOKENS_MAX);

function read(header: string, own: string): Credential {
  const [, scheme = '', key] = authorization.exec(header) ?? [];
  if (key === undefined) return { kind: 'malformed' };
  const kind = scheme.toLowerCase();
  if (key.startsWith('eyJ') && kind !== 'apikey' && signedToken.test(key)) {
    return own === '' ? { kind: 'token', token: key, scheme: kind as 'bearer' | 'dpop' } : { kind: 'conflict' };
  }
  if (kind === 'dpop') return { kind: 'malformed' };
  return own !== '' && own !== key ? { kind: 'conflict' } : { kind: 'key', key };
}
