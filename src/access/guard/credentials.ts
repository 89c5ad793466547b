import type { Foreseen, Visit } from '../../http/index.ts';
import type { LastUseNotes } from '../../kernel/commits/index.ts';
import { HeaderTable } from './headers/header-table.ts';
import type { KeyCallers, KnownKey } from './key-callers.ts';

/** What a request carries as its credential. `conflict`: two different ones. */
export type Credential =
  | { readonly kind: 'none' | 'conflict' | 'malformed' }
  | KeyCredential
  | { readonly kind: 'token'; readonly token: string; readonly scheme: 'bearer' | 'dpop' };

export interface KeyCredential {
  readonly kind: 'key';
  readonly key: string;
  /** The caller that was found when the key was last sent, and who keeps it; judged anew each time. */
  known?: KnownKey | undefined;
  keptBy?: KeysOfKind | undefined;
}

/** Where keys of a kind are known, and where their use is noted. */
export interface KeysOfKind {
  readonly callers: KeyCallers;
  readonly use: Pick<LastUseNotes, 'note' | 'again'>;
}

const KEY_MAX = 4096;
const authorization = /^(ApiKey|Bearer|DPoP)[ \t]+([\x21-\x7e]+)$/i;
/** A signed token begins with `{"` in base64url and has three parts; no key does. */
const signedToken = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/**
 * `Authorization: ApiKey K`, `Authorization: Bearer K` or `X-API-Key: K` (specification, Authentication), where a
 * Bearer can also be an access token; `Authorization: DPoP T` with one that is bound to a key (RFC 9449). No cookie.
 */
export function readCredential(visit: Pick<Visit, 'header' | 'notes' | 'foreseen'>): Credential {
  const { notes } = visit;
  if (notes === undefined) return readHeaders(visit);
  // nothing but this puts something there
  notes.credential ??= readHeaders(visit);
  return notes.credential as Credential;
}

function readHeaders(visit: Pick<Visit, 'header' | 'foreseen'>): Credential {
  const foreseen = recall(visit.foreseen);
  if (foreseen !== undefined) return foreseen;
  const own = visit.header('x-api-key');
  const header = visit.header('authorization');
  if (header === '' && own === '') return { kind: 'none' };
  if (header.length > KEY_MAX || own.length > KEY_MAX) return { kind: 'malformed' };
  if (header === '') return { kind: 'key', key: own };
  if (own !== '') return read(header, own);
  const before = parsed.get(header);
  if (before !== undefined) return before;
  const credential = read(header, own);
  if (credential.kind !== 'malformed') parsed.add(header, credential, PARSED_BYTES + header.length);
  return credential;
}

/** What was parsed before, found without making a text of it: where no other credential was sent. */
function recall(foreseen: Foreseen | undefined): Credential | undefined {
  if (foreseen === undefined) return undefined;
  const { credentialSlot, octets, credentialFrom, credentialTo } = foreseen;
  return parsed.at(credentialSlot, octets, credentialFrom, credentialTo);
}

const PARSED_BYTES_MAX = 8 * 2 ** 20;
/** Of what is kept for a header, beside its text; estimated. */
const PARSED_BYTES = 250;
/**
 * Headers that this thread has parsed, as they are sent many times. The text of a key or token is then the same for all
 * requests, and its hash is there when its caller is looked for. They are found by hash, never by comparing with the
 * last one: the time of that would tell how much of a secret was right. Only `readCredential` may use the values;
 * `ComingRequests` looks at them before.
 */
export const parsed = new HeaderTable<Credential>(PARSED_BYTES_MAX);

function read(header: string, own: string): Credential {
  const [, scheme = '', key] = authorization.exec(header) ?? [];
  if (key === undefined) return { kind: 'malformed' };
  const kind = scheme.toLowerCase();
  if (key.startsWith('eyJ') && kind !== 'apikey' && signedToken.test(key)) {
    return own === '' ? { kind: 'token', token: key, scheme: kind as 'bearer' | 'dpop' } : { kind: 'conflict' };
  }
  if (kind === 'dpop') return { kind: 'malformed' };
  return own !== '' && own !== key ? { kind: 'conflict' } : { kind: 'key', key, known: undefined, keptBy: undefined };
}

/** The proof of a request, and its path: read before the first wait, after which the request is gone. */
export interface SentProof {
  /** `''` where there is none. */
  readonly text: string;
  readonly path: string;
}

export function sentProof(visit: Visit): SentProof {
  return { text: visit.header('dpop'), path: visit.path };
}
