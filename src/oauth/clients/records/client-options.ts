import { z } from 'zod';
import { type AlgorithmName, algorithmNames } from '../../signing/index.ts';

/** How a client is served, beside what it may. */
export interface ClientOptions {
  /** Signs its ID tokens (OpenID Connect Dynamic Client Registration, 2). */
  readonly idTokenSignedResponseAlg: AlgorithmName;
  readonly accessTokenSigningAlg: AlgorithmName;
  /** After so many seconds users sign in anew, where a request does not say otherwise. */
  readonly defaultMaxAge: number | null;
  /** Whether users need not agree: the organization's own applications. */
  readonly skipConsent: boolean;
  /** Whether requests count only when they were pushed (RFC 9126, 6). */
  readonly requirePushedAuthorizationRequests: boolean;
  /** Whether it gets access tokens only with a proof of possession (RFC 9449, 5.2). */
  readonly dpopBoundAccessTokens: boolean;
  /** Whether logout tokens must name the session (OpenID Connect Back-Channel Logout, 2.2). */
  readonly backchannelLogoutSessionRequired: boolean;
}

const initial: ClientOptions = {
  idTokenSignedResponseAlg: 'RS256',
  accessTokenSigningAlg: 'ES256',
  defaultMaxAge: null,
  skipConsent: false,
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  backchannelLogoutSessionRequired: false,
};

const MAX_AGE_MAX_S = 365 * 24 * 60 * 60;
const algorithm = z.enum(algorithmNames);

export const optionSchemas = {
  idTokenSignedResponseAlg: algorithm.describe('Signs its ID tokens'),
  accessTokenSigningAlg: algorithm.describe('Signs its access tokens'),
  defaultMaxAge: z.int().min(0).max(MAX_AGE_MAX_S).nullable().describe('Seconds after which users sign in anew'),
  skipConsent: z.boolean().describe('For applications of the organization itself: users are not asked to agree'),
  requirePushedAuthorizationRequests: z.boolean().describe('Whether requests count only when pushed (RFC 9126)'),
  dpopBoundAccessTokens: z.boolean().describe('Whether its access tokens are bound to a key (RFC 9449)'),
  backchannelLogoutSessionRequired: z.boolean().describe('Whether logout tokens must name the session'),
} as const;

const names = Object.keys(initial) as (keyof ClientOptions)[];

/** Those that clients say of themselves when they register, and what the protocol calls them. */
export const registeredOptions = {
  idTokenSignedResponseAlg: 'id_token_signed_response_alg',
  defaultMaxAge: 'default_max_age',
  requirePushedAuthorizationRequests: 'require_pushed_authorization_requests',
  dpopBoundAccessTokens: 'dpop_bound_access_tokens',
  backchannelLogoutSessionRequired: 'backchannel_logout_session_required',
} as const satisfies Partial<Record<keyof ClientOptions, string>>;

/** Every option of a client, also of one that was registered before there was such an option. */
export function optionsOf(stored: Partial<ClientOptions>): ClientOptions {
  return changedOptions(initial, stored);
}

/** What is not said stays as it is. */
export function changedOptions(
  before: Partial<ClientOptions>,
  said: { readonly [Name in keyof ClientOptions]?: ClientOptions[Name] | undefined },
): ClientOptions {
  const options: Record<string, unknown> = {};
  for (const name of names) options[name] = said[name] ?? before[name] ?? initial[name];
  if (said.defaultMaxAge === null) options.defaultMaxAge = null;
  // every name was given a value of its own type
  return options as unknown as ClientOptions;
}
