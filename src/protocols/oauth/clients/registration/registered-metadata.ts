import { z } from 'zod';
import { ProblemError } from '../../../../http/index.ts';
import type { OutboundGuard } from '../../../../platform/index.ts';
import { permissionsScope } from '../../claims/index.ts';
import { oauthProblem } from '../../errors/index.ts';
import { wordsOf } from '../../words.ts';
import { changedOptions, optionSchemas, optionsOf, registeredOptions, scopeName } from '../records/client-options.ts';
import {
  applicationTypes,
  type ClientMetadata,
  type ClientRecord,
  deviceCodeGrant,
  type GrantType,
  optionalMetadata,
} from '../records/client-record.ts';
import { fieldSchemas, standardScopes } from '../records/fields.ts';
import { applicationTypeOf, type MetadataFault, metadataFault } from '../records/metadata-rules.ts';

const uri = fieldSchemas.uri.optional();
/** Nobody has looked at it, and the page of consent says it: it must not turn round what stands beside it. */
const clientName = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'must be text without control characters')
  .optional();

const optionNames = Object.keys(registeredOptions) as (keyof typeof registeredOptions)[];

/** Client metadata (RFC 7591, 2). Members that are not known are ignored, as the protocol asks. */
export const metadataSchema = z.object({
  redirect_uris: fieldSchemas.redirectUris.optional(),
  token_endpoint_auth_method: fieldSchemas.authMethod.optional(),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token', deviceCodeGrant]))
    .min(1)
    .max(3)
    .optional(),
  response_types: fieldSchemas.responseTypes.optional(),
  application_type: z.enum(applicationTypes).optional(),
  client_name: clientName,
  client_uri: uri,
  logo_uri: uri,
  policy_uri: uri,
  tos_uri: uri,
  scope: z.string().max(4096).optional(),
  contacts: fieldSchemas.contacts.optional(),
  jwks: fieldSchemas.jwks.optional(),
  jwks_uri: uri,
  post_logout_redirect_uris: fieldSchemas.redirectUris.optional(),
  backchannel_logout_uri: uri,
  subject_type: z.literal('public').describe('The same `sub` for every client').optional(),
  id_token_signed_response_alg: optionSchemas.idTokenSignedResponseAlg.optional(),
  default_max_age: optionSchemas.defaultMaxAge.optional(),
  require_pushed_authorization_requests: optionSchemas.requirePushedAuthorizationRequests.optional(),
  dpop_bound_access_tokens: optionSchemas.dpopBoundAccessTokens.optional(),
  backchannel_logout_session_required: optionSchemas.backchannelLogoutSessionRequired.optional(),
});

type Sent = z.output<typeof metadataSchema>;

/** What the protocol calls what a client says of itself, its scopes aside. */
const names = {
  name: 'client_name',
  authMethod: 'token_endpoint_auth_method',
  applicationType: 'application_type',
  redirectUris: 'redirect_uris',
  grantTypes: 'grant_types',
  responseTypes: 'response_types',
  contacts: 'contacts',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  clientUri: 'client_uri',
  logoUri: 'logo_uri',
  policyUri: 'policy_uri',
  tosUri: 'tos_uri',
  jwks: 'jwks',
  jwksUri: 'jwks_uri',
  backchannelLogoutUri: 'backchannel_logout_uri',
  ...registeredOptions,
} as const satisfies Partial<Record<keyof ClientMetadata, keyof Sent>>;

const fieldNames = Object.keys(names) as (keyof typeof names)[];

/** Which of an organization's own scopes a client that registers itself may ask for. */
type OwnScope = (name: string) => boolean;

/**
 * What a client says of itself, judged: only grants in which a user consents, only scopes that are no permission.
 * @throws ProblemError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function readMetadata(body: unknown, outbound: OutboundGuard, isOwnScope: OwnScope): ClientMetadata {
  const read = metadataSchema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw fault((issue?.path ?? []).map(String), issue?.message ?? 'is not valid');
  }
  const metadata = metadataOf(read.data);
  const wrong = metadataFault(metadata, outbound);
  if (wrong !== undefined) throw fault(pathOf(wrong), wrong.message);
  const foreign = metadata.scopes.find((name) => !isForAll(name) && !isOwnScope(name));
  if (foreign !== undefined)
    throw fault(['scope'], `there is no scope ${foreign} for clients that register themselves`);
  return metadata;
}

function isForAll(name: string): boolean {
  return standardScopes.includes(name) || name === permissionsScope;
}

function metadataOf(sent: Sent): ClientMetadata {
  const authMethod = sent.token_endpoint_auth_method ?? 'client_secret_basic';
  const grantTypes: readonly GrantType[] = sent.grant_types ?? ['authorization_code'];
  const optional = optionalMetadata.map((field) => [field, sent[names[field]]] as const);
  return {
    name: nameOf(sent),
    type: authMethod === 'none' ? 'public' : 'confidential',
    authMethod,
    redirectUris: sent.redirect_uris ?? [],
    grantTypes,
    responseTypes: sent.response_types ?? (grantTypes.includes('authorization_code') ? ['code'] : []),
    scopes: scopesOf(sent.scope),
    postLogoutRedirectUris: sent.post_logout_redirect_uris ?? [],
    contacts: sent.contacts ?? [],
    ...changedOptions({}, Object.fromEntries(optionNames.map((name) => [name, sent[registeredOptions[name]]]))),
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}

/** Consent names it: by where it leads, where it does not say. */
function nameOf({ client_name: name, redirect_uris: [first] = [] }: Sent): string {
  if (name !== undefined && name.trim() !== '') return name;
  const host = first !== undefined && URL.canParse(first) ? new URL(first).host : '';
  return (host === '' ? 'Unnamed client' : host).slice(0, 200);
}

function scopesOf(scope: string | undefined): readonly string[] {
  if (scope === undefined) return standardScopes;
  const scopes = [...new Set(wordsOf(scope))];
  if (scopes.length > 200 || !scopes.every((name) => scopeName.safeParse(name).success)) {
    throw fault(['scope'], 'must be scopes separated by spaces');
  }
  return scopes;
}

function pathOf({ field, index }: MetadataFault): string[] {
  const name = Object.hasOwn(names, field) ? names[field as keyof typeof names] : field;
  return index === undefined ? [name] : [name, String(index)];
}

function fault([field = '', ...rest]: readonly string[], message: string): ProblemError {
  const code = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  const path = rest.reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : `${text}.${part}`), field);
  return new ProblemError(oauthProblem(code, path === '' ? message : `${path}: ${message}`));
}

/** As a client reads it back (RFC 7591, 3.2.1). */
export function shownMetadata(document: ClientRecord): Readonly<Record<string, unknown>> {
  const shown = { ...document, ...optionsOf(document), applicationType: applicationTypeOf(document) };
  // a member without a value is left out
  const members = fieldNames.map((field) => [names[field], shown[field] ?? undefined]);
  return { ...Object.fromEntries(members), scope: document.scopes.join(' ') };
}
