import type { Store } from '#engine';
import { ProblemError } from '../../../../http/index.ts';
import type { OutboundGuard } from '../../../../platform/index.ts';
import { permissionsScope } from '../../claims/index.ts';
import { wordsOf } from '../../words.ts';
import { scopeName } from '../records/client-options.ts';
import type { ClientMetadata } from '../records/client-record.ts';
import { standardScopes } from '../records/fields.ts';
import { isOpenScope, openScopes } from '../registration/open-scopes.ts';
import { readMetadata } from '../registration/registered-metadata.ts';

/** Most scopes that one client may ask for. */
const SCOPES_MAX = 200;

/** What a document says, or why it cannot be a client. */
export type DocumentSays =
  | { readonly metadata: ClientMetadata; readonly scopes: readonly string[] | undefined }
  | { readonly fault: string };

/**
 * Reads the document of a client (OAuth Client ID Metadata Document, 4): client metadata (RFC 7591, 2) with `client_id`,
 * which is the address that it was read at. Such a client proves itself by a key, or not at all: what everybody can read
 * holds no secret. Grants that it does not need for a user's consent, and scopes that are not known here, are left out.
 */
export function readDocument(body: unknown, clientId: string, outbound: OutboundGuard): DocumentSays {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { fault: 'it is no JSON object' };
  const said = body as Readonly<Record<string, unknown>>;
  if (said.client_id !== clientId) return { fault: 'client_id is not the address of the document' };
  if (said.client_secret !== undefined || said.client_secret_expires_at !== undefined) {
    return { fault: 'a document has no client_secret' };
  }
  const { scope, grant_types: grants, token_endpoint_auth_method: method = 'none', ...rest } = said;
  if (method !== 'none' && method !== 'private_key_jwt') {
    return { fault: 'token_endpoint_auth_method must be none or private_key_jwt' };
  }
  const known = Array.isArray(grants) ? grants.filter((each) => served.has(each)) : grants;
  const scopes = scopesOf(scope);
  if ('fault' in scopes) return scopes;
  try {
    const sent = { ...rest, token_endpoint_auth_method: method, grant_types: known, response_types: ['code'] };
    return { metadata: readMetadata(sent, outbound, () => false), scopes: scopes.names };
  } catch (error) {
    if (error instanceof ProblemError) return { fault: error.problem.detail };
    throw error;
  }
}

/** Those in which a user consents, in a browser. */
const served: ReadonlySet<unknown> = new Set(['authorization_code', 'refresh_token']);

function scopesOf(scope: unknown): { readonly names: readonly string[] | undefined } | { readonly fault: string } {
  if (scope === undefined) return { names: undefined };
  const names = typeof scope === 'string' ? [...new Set(wordsOf(scope))] : undefined;
  const isRead = names !== undefined && names.length <= SCOPES_MAX;
  if (isRead && names.every((name) => scopeName.safeParse(name).success)) return { names };
  return { fault: `scope: must be at most ${SCOPES_MAX} scopes with a blank between them` };
}

/**
 * What such a client may ask for now: of the standard scopes and the organization's own those that it names, all where it
 * names none. Inside a snapshot.
 */
export function allowedScopes(store: Store, named: readonly string[] | undefined): readonly string[] {
  const forAll = [...standardScopes, permissionsScope];
  if (named !== undefined) return named.filter((name) => forAll.includes(name) || isOpenScope(store, name));
  return [...forAll, ...openScopes(store, SCOPES_MAX - forAll.length)];
}
