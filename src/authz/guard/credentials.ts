import type { Visit } from '../../http/index.ts';

/** What a request carries as its credential. `conflict`: two that differ, of which nobody knows which one counts. */
export type Credential =
  | { readonly kind: 'none' | 'conflict' | 'malformed' }
  | { readonly kind: 'key'; readonly key: string };

const KEY_MAX = 4096;
const authorization = /^(ApiKey|Bearer)[ \t]+([\x21-\x7e]+)$/i;

/** `Authorization: ApiKey K`, `Authorization: Bearer K` or `X-API-Key: K` (specification, Authentication). No cookie. */
export function readCredential(visit: Pick<Visit, 'header'>): Credential {
  const header = visit.header('authorization');
  const own = visit.header('x-api-key');
  if (header === '' && own === '') return { kind: 'none' };
  if (header.length > KEY_MAX || own.length > KEY_MAX) return { kind: 'malformed' };
  if (header === '') return { kind: 'key', key: own };
  const key = authorization.exec(header)?.[2];
  if (key === undefined) return { kind: 'malformed' };
  return own !== '' && own !== key ? { kind: 'conflict' } : { kind: 'key', key };
}
