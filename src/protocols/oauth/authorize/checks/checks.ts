import type { Store } from '#engine';
import { findScope } from '../../../../directory/permissions/index.ts';
import { type ClientEntry, optionOf, resourcesOf } from '../../clients/index.ts';
import { oauthError } from '../../errors/index.ts';
import { carriedScopes, grantableScopes, grantedScopes } from '../../grants/requested-scopes.ts';
import type { IdTokenHint } from '../../id-tokens/id-token.ts';
import { type IssuerUrls, resourceName } from '../../issuer.ts';
import { wordsOf } from '../../words.ts';
import { STATE_MAX } from '../request/answer-target.ts';
import {
  type AuthorizationRequest,
  type Prompt,
  promptsWhere,
  responseModes,
} from '../request/authorization-request.ts';
import type { RequestParameters } from '../request/parameters.ts';
import { checkClaims } from './check-claims.ts';

/** What a check sees. */
interface Asked {
  readonly parameters: RequestParameters;
  readonly client: ClientEntry;
  readonly store: Store;
  readonly urls: IssuerUrls;
  readonly requirePkce: boolean;
  /** Whether people may make themselves an account. */
  readonly allowSignup: boolean;
  /** What `id_token_hint` says, proved; `undefined` where it is not one of this provider's for this client. */
  readonly hint: IdTokenHint | undefined;
  /** What the checks before this one have found. */
  readonly found: Partial<AuthorizationRequest>;
}

/**
 * One rule: what it finds in the request, or a refusal that the client is told of. Inside a snapshot.
 * @throws ProblemError with an error of RFC 6749, 4.1.2.1, or of an extension of it
 */
export type Check = (asked: Asked) => Partial<AuthorizationRequest>;

/** Ways to pass a request that are not served (OpenID Connect Core, 6 and 7.2.1), and how they are refused. */
const passed = [
  ['request', 'request_not_supported', 'Signed requests are not accepted: push the request instead.'],
  ['request_uri', 'request_uri_not_supported', 'Only requests that were pushed here have a request_uri.'],
  ['registration', 'registration_not_supported', 'Clients do not register themselves by a request.'],
] as const;

const checkPassedObjects: Check = ({ parameters }) => {
  for (const [name, error, description] of passed) {
    if (parameters.one(name) !== undefined) throw oauthError(error, description);
  }
  return {};
};

/** RFC 6749, 3.1. Several resources are for a check of their own. */
const checkOnce: Check = ({ parameters }) => {
  const repeated = parameters.names().find((name) => name !== 'resource' && parameters.isRepeated(name));
  if (repeated === undefined) return {};
  throw oauthError('invalid_request', `${repeated.slice(0, 64)} must be given once.`);
};

/** Clients could not tell an answer without their state from somebody else's. */
const checkState: Check = ({ parameters }) => {
  if ((parameters.one('state') ?? '').length <= STATE_MAX) return {};
  throw oauthError('invalid_request', `state is longer than ${STATE_MAX} characters.`);
};

const checkGrant: Check = ({ client }) => {
  if (client.document.grantTypes.includes('authorization_code')) return {};
  throw oauthError('unauthorized_client', 'The client is not registered for authorization_code.');
};

const checkResponseType: Check = ({ parameters }) => {
  const type = parameters.one('response_type');
  if (type === undefined) throw oauthError('invalid_request', 'response_type is missing.');
  if (type !== 'code') throw oauthError('unsupported_response_type', 'The only response type is code.');
  return {};
};

/** The mode itself stands in the target of the answer already. */
const checkResponseMode: Check = ({ parameters }) => {
  const mode = parameters.one('response_mode');
  if (mode === undefined || responseModes.some((each) => each === mode)) return {};
  throw oauthError('invalid_request', `response_mode must be one of ${responseModes.join(', ')}.`);
};

/**
 * Scopes that the client may not have are left out, and the token's answer says so (OpenID Connect Core, 3.1.2.1). Where
 * none is named, those of the organization that are given by default.
 */
const checkScope: Check = ({ parameters, client: { document }, store }) => {
  const allowed = grantableScopes(document);
  const said = parameters.one('scope');
  if (said !== undefined) return { scopes: grantedScopes(said, allowed) };
  const scopes = allowed.filter((scope) => findScope(store, scope)?.document.isDefault === true);
  if (scopes.length === 0) throw oauthError('invalid_scope', 'scope is missing, and there is no default.');
  return { scopes: carriedScopes(scopes) };
};

const RESOURCES_MAX = 10;

/** The APIs that tokens may be asked for with the code (RFC 8707, 2). */
const checkResource: Check = ({ parameters, client, store, urls }) => {
  const resources = [...new Set(parameters.all('resource').map((uri) => resourceName(uri, urls)))];
  if (resources.length === 0) return {};
  const allowed = [urls.api, urls.mcp, ...resourcesOf(store, client)];
  if (resources.length > RESOURCES_MAX || !resources.every((each) => allowed.includes(each))) {
    throw oauthError('invalid_target', 'The client may get no tokens for this resource.');
  }
  return { resources };
};

/** Of SHA-256, in base64url (RFC 7636, 4.2). */
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 and RFC 9700, 2.1.1. `plain` protects nothing from whoever sees the request. */
const checkPkce: Check = ({ parameters, client, requirePkce }) => {
  const challenge = parameters.one('code_challenge');
  const method = parameters.one('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw oauthError('invalid_request', 'code_challenge is missing.');
    if (!requirePkce && client.document.type === 'confidential') return {};
    throw oauthError('invalid_request', 'PKCE is required: code_challenge is missing.');
  }
  if (method !== 'S256') throw oauthError('invalid_request', 'code_challenge_method must be S256.');
  if (!challengeForm.test(challenge)) {
    throw oauthError('invalid_request', 'code_challenge must be a SHA-256 digest in base64url.');
  }
  return { codeChallenge: challenge };
};

/** OpenID Connect Core, 3.1.2.1. */
const checkPrompt: Check = ({ parameters, allowSignup }) => {
  const served = promptsWhere(allowSignup);
  const said = [...new Set(wordsOf(parameters.one('prompt')))];
  const prompts = said.flatMap((value): Prompt[] => served.filter((each) => each === value));
  if (prompts.length < said.length) {
    throw oauthError('invalid_request', `prompt must be made of ${served.join(', ')}.`);
  }
  if (prompts.includes('none') && prompts.length > 1) {
    throw oauthError('invalid_request', 'prompt=none cannot be combined with other values.');
  }
  return { prompts };
};

const AGE_MAX_S = 10 * 365 * 24 * 60 * 60;

/** What the client is registered with counts where the request says nothing. */
const checkMaxAge: Check = ({ parameters, client }) => {
  const said = parameters.one('max_age');
  if (said === undefined) {
    const defaultMaxAge = optionOf(client.document, 'defaultMaxAge');
    return defaultMaxAge === null ? {} : { maxAge: defaultMaxAge };
  }
  if (!/^\d{1,10}$/.test(said)) throw oauthError('invalid_request', 'max_age must be a number of seconds.');
  return { maxAge: Math.min(Number(said), AGE_MAX_S) };
};

const NONCE_MAX = 512;
const HINT_MAX = 320;
const ACR_VALUES_MAX = 10;

/** Bounded, as ID tokens carry it. */
const checkNonce: Check = ({ parameters }) => {
  const nonce = parameters.one('nonce');
  if (nonce === undefined) return {};
  if (nonce.length > NONCE_MAX) throw oauthError('invalid_request', `nonce is longer than ${NONCE_MAX} characters.`);
  return { nonce };
};

/** Wishes: one that cannot be met is no error. */
const checkAcrValues: Check = ({ parameters }) => {
  const values = wordsOf(parameters.one('acr_values'));
  return values.length === 0 ? {} : { acrValues: values.slice(0, ACR_VALUES_MAX).map((value) => value.slice(0, 128)) };
};

/** What a page cannot use is left out. */
const checkLoginHint: Check = ({ parameters }) => {
  const loginHint = parameters.one('login_hint');
  return loginHint === undefined || loginHint.length > HINT_MAX ? {} : { loginHint };
};

/** RFC 9449, 10. */
const checkDpopKey: Check = ({ parameters }) => {
  const dpopJkt = parameters.one('dpop_jkt');
  if (dpopJkt === undefined) return {};
  if (!/^[A-Za-z0-9_-]{43}$/.test(dpopJkt)) {
    throw oauthError('invalid_request', 'dpop_jkt must be a SHA-256 thumbprint in base64url.');
  }
  return { dpopJkt };
};

/** Proved before the checks, because proving waits; the token may have expired (OpenID Connect Core, 3.1.2.1). */
const checkIdTokenHint: Check = ({ parameters, hint, found }) => {
  if (parameters.one('id_token_hint') === undefined) return {};
  if (hint === undefined) throw oauthError('invalid_request', 'id_token_hint is not an ID token of this client.');
  if (found.hintedUser !== undefined && found.hintedUser !== hint.userId) {
    throw oauthError('invalid_request', 'claims and id_token_hint name different users.');
  }
  return { hintedUser: hint.userId };
};

/** The rules of an authorization request, in this order; the first that does not hold is told. */
export const checks: readonly Check[] = [
  checkPassedObjects,
  checkOnce,
  checkState,
  checkResponseMode,
  checkResponseType,
  checkGrant,
  checkScope,
  checkPkce,
  checkPrompt,
  checkMaxAge,
  checkNonce,
  checkResource,
  checkClaims,
  checkAcrValues,
  checkIdTokenHint,
  checkLoginHint,
  checkDpopKey,
];
