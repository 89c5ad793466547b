import { z } from 'zod';
import { keySchemas, storedKeys } from '../../../../directory/records/index.ts';
import { resourceUri } from '../../../../directory/settings/index.ts';
import { algorithmNames } from '../../signing/index.ts';

/** Another authorization server, and who the client is there. */
const storedAudience = z
  .strictObject({
    audience: z.string(),
    clientId: z.string(),
    scopes: z.array(z.string()).readonly(),
    resources: z.array(z.string()).readonly(),
  })
  .readonly();

/** How a client is served, beside what it may: as it is stored. */
export const optionFields = {
  /** Signs its ID tokens (OpenID Connect Dynamic Client Registration, 2). */
  idTokenSignedResponseAlg: z.enum(algorithmNames).exactOptional(),
  accessTokenSigningAlg: z.enum(algorithmNames).exactOptional(),
  /** After so many seconds users sign in anew, where a request does not say otherwise. */
  defaultMaxAge: z.number().nullable().exactOptional(),
  /** Whether users need not agree: the organization's own applications. */
  skipConsent: z.boolean().exactOptional(),
  /** Whether requests count only when they were pushed (RFC 9126, 6). */
  requirePushedAuthorizationRequests: z.boolean().exactOptional(),
  /** Whether it gets access tokens only with a proof of possession (RFC 9449, 5.2). */
  dpopBoundAccessTokens: z.boolean().exactOptional(),
  /** Whether logout tokens must name the session (OpenID Connect Back-Channel Logout, 2.2). */
  backchannelLogoutSessionRequired: z.boolean().exactOptional(),
  /** APIs other than the organization's own that it may get tokens for (RFC 8707). */
  allowedResources: z.array(z.string()).readonly().exactOptional(),
  /** APIs that it serves: it is told of tokens that are for them (RFC 7662). */
  servedResources: z.array(z.string()).readonly().exactOptional(),
  /** Ids of clients that may act with tokens that were issued to this one (RFC 8693, 4.4). */
  mayAct: z.array(z.string()).readonly().exactOptional(),
  /** Whether it may exchange such a token without being named as the one who acts. */
  mayImpersonate: z.boolean().exactOptional(),
  /** Other authorization servers that it may show the identity of its users to. */
  assertionAudiences: z.array(storedAudience).readonly().exactOptional(),
  /** Seconds that a token of its own lives which is for SCIM and nothing else. */
  accessTokenLifetime: z.number().nullable().exactOptional(),
  /** Workloads of other issuers that are this client. */
  federatedCredentials: storedKeys.federatedCredentials,
};

export type ClientOptions = Readonly<Required<z.output<z.ZodObject<typeof optionFields>>>>;

const initial: ClientOptions = {
  idTokenSignedResponseAlg: 'RS256',
  accessTokenSigningAlg: 'ES256',
  defaultMaxAge: null,
  skipConsent: false,
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  backchannelLogoutSessionRequired: false,
  allowedResources: [],
  servedResources: [],
  mayAct: [],
  mayImpersonate: false,
  assertionAudiences: [],
  accessTokenLifetime: null,
  federatedCredentials: [],
};

/** scope-token of RFC 6749, 3.3. */
export const scopeName: z.ZodType<string> = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters without blanks, " and \\');

const LIST_MAX = 50;

const AUDIENCES_MAX = 20;
const CLIENT_ID_MAX = 500;

const assertionAudience = z
  .strictObject({
    audience: resourceUri.describe('Its issuer identifier, character by character'),
    clientId: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
      .max(CLIENT_ID_MAX)
      .describe('What this client is called there'),
    scopes: z.array(scopeName).max(LIST_MAX).readonly().default([]).describe('The most that it may ask for there'),
    resources: z.array(resourceUri).max(LIST_MAX).readonly().default([]).describe('APIs there that it may ask for'),
  })
  .readonly();

const MAX_AGE_MAX_S = 365 * 24 * 60 * 60;
const algorithm = z.enum(algorithmNames);

const LIFETIME_MIN_S = 60 * 60;
const LIFETIME_MAX_S = 360 * 60;

export const optionSchemas = {
  idTokenSignedResponseAlg: algorithm.describe('Signs its ID tokens'),
  accessTokenSigningAlg: algorithm.describe('Signs its access tokens'),
  defaultMaxAge: z.int().min(0).max(MAX_AGE_MAX_S).nullable().describe('Seconds after which users sign in anew'),
  skipConsent: z.boolean().describe('For applications of the organization itself: users are not asked to agree'),
  requirePushedAuthorizationRequests: z.boolean().describe('Whether requests count only when pushed (RFC 9126)'),
  dpopBoundAccessTokens: z.boolean().describe('Whether its access tokens are bound to a key (RFC 9449)'),
  backchannelLogoutSessionRequired: z.boolean().describe('Whether logout tokens must name the session'),
  allowedResources: z
    .array(resourceUri)
    .max(LIST_MAX)
    .readonly()
    .describe('APIs beside the organization’s own that it may get access tokens for, by URI'),
  servedResources: z
    .array(resourceUri)
    .max(LIST_MAX)
    .readonly()
    .describe('APIs that it serves: it may introspect tokens for them'),
  mayAct: z
    .array(z.string().regex(/^[\w-]{1,256}$/, 'must be the id of a client'))
    .max(LIST_MAX)
    .readonly()
    .describe('Ids of clients that may act with tokens issued to this one, by token exchange'),
  mayImpersonate: z
    .boolean()
    .describe('Whether, exchanging such a token, it need not be named in it as the one who acts'),
  assertionAudiences: z
    .array(assertionAudience)
    .max(AUDIENCES_MAX)
    .refine((list) => new Set(list.map(({ audience }) => audience)).size === list.length, 'must not name one twice')
    .readonly()
    .describe('Other authorization servers for which it gets identity assertions about its users, by token exchange'),
  accessTokenLifetime: z
    .int()
    .min(LIFETIME_MIN_S, 'must be 3600 to 21600 seconds (60 to 360 minutes)')
    .max(LIFETIME_MAX_S, 'must be 3600 to 21600 seconds (60 to 360 minutes)')
    .nullable()
    .describe(
      'Seconds that its own access tokens live which have the scope `scim` alone; ten minutes where it is null',
    ),
  federatedCredentials: keySchemas.federatedCredentials.describe(
    'Workloads of other issuers that are this client: it authenticates by their assertions (RFC 7523)',
  ),
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

/** One option of a client. */
export function optionOf<Name extends keyof ClientOptions>(
  stored: Partial<ClientOptions>,
  name: Name,
): ClientOptions[Name] {
  return stored[name] ?? initial[name];
}

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
  // null is a value of those that can have it
  for (const name of names) options[name] = said[name] === undefined ? (before[name] ?? initial[name]) : said[name];
  // every name was given a value of its own type
  return options as unknown as ClientOptions;
}
