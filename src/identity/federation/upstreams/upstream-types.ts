import type { ProviderRecord, TypeName } from '../../providers/index.ts';
import { appleNames, appleSecret } from './apple.ts';
import { type Claims, domainOf, emailOf, isTrue, isTrustedDomain } from './claims.ts';
import type { UpstreamDependencies } from './code-flow.ts';
import { DiscoveredIssuers, discoveredClient } from './discovered.ts';
import { admitDirectory, isMicrosoftEmailVerified, isMicrosoftMail, microsoftClient } from './microsoft.ts';
import { fixedClient, type OpenIdSpec, openIdUpstream } from './openid.ts';
import { facebookGraph, facebookWho, githubWho, plainOAuthUpstream } from './plain-oauth.ts';
import { type Upstream, UpstreamError } from './upstream.ts';

/** How each type of provider is asked. Whoever uses one is handed its entry and never asks for its name. */
export type Upstreams = Readonly<Record<TypeName, Upstream>>;

const usual = {
  method: 'social',
  answersBy: 'query',
  checks: { pkce: true, nonce: true },
  scopes: ['openid'],
  parameters: () => ({}),
  freshParameters: { prompt: 'login' },
  admit: () => {},
  isEmailVerified: (_: ProviderRecord, claims: Claims) => isTrue(claims.email_verified),
  runsDomain: () => false,
  unsigned: () => ({}),
} as const satisfies Partial<OpenIdSpec>;

/** "OpenID Connect", Google Identity. */
const google: OpenIdSpec = {
  ...usual,
  client: fixedClient({
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  }),
  parameters: ({ details: { hostedDomain } }): Record<string, string> =>
    hostedDomain === undefined ? {} : { hd: hostedDomain },
  // it knows no `login`: what it can do is to let people choose
  freshParameters: { prompt: 'select_account' },
  // asking for a domain only narrows what Google offers: anybody can take the parameter out of the address
  admit({ details: { hostedDomain } }, { hd }) {
    if (hostedDomain === undefined) return;
    if (typeof hd !== 'string' || hd.toLowerCase() !== hostedDomain.toLowerCase()) {
      throw new UpstreamError('not_admitted', 'the account is not of the hosted domain');
    }
  },
  runsDomain(claims) {
    const domain = domainOf(emailOf(claims));
    return ['gmail.com', 'googlemail.com'].includes(domain) || (domain !== '' && claims.hd === domain);
  },
};

/** "OpenID Connect on the Microsoft identity platform". */
const microsoft: OpenIdSpec = {
  ...usual,
  client: microsoftClient,
  admit: admitDirectory,
  isEmailVerified: isMicrosoftEmailVerified,
  runsDomain: isMicrosoftMail,
};

const appleDomains = new Set(['privaterelay.appleid.com', 'icloud.com', 'me.com', 'mac.com']);

/** "Sign in with Apple REST API". Asked for a name or an address, it answers by a form. */
const apple: OpenIdSpec = {
  ...usual,
  answersBy: 'form',
  client: fixedClient(
    {
      issuer: 'https://appleid.apple.com',
      authorization_endpoint: 'https://appleid.apple.com/auth/authorize',
      token_endpoint: 'https://appleid.apple.com/auth/token',
      jwks_uri: 'https://appleid.apple.com/auth/keys',
    },
    appleSecret,
  ),
  checks: { pkce: false, nonce: true },
  scopes: [],
  parameters: () => ({ response_mode: 'form_post' }),
  freshParameters: {},
  runsDomain: (claims) => appleDomains.has(domainOf(emailOf(claims))),
  unsigned: appleNames,
};

/** "Sign In with LinkedIn using OpenID Connect", which knows neither `nonce` nor PKCE for sites. */
const linkedin: OpenIdSpec = {
  ...usual,
  client: fixedClient({
    issuer: 'https://www.linkedin.com/oauth',
    authorization_endpoint: 'https://www.linkedin.com/oauth/v2/authorization',
    token_endpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
    jwks_uri: 'https://www.linkedin.com/oauth/openid/jwks',
    userinfo_endpoint: 'https://api.linkedin.com/v2/userinfo',
  }),
  checks: { pkce: false, nonce: false },
  freshParameters: {},
};

/** An issuer of the organization's choice. */
const ownIssuer = {
  method: 'sso',
  // asked for an age, it must say when
  freshParameters: { prompt: 'login', max_age: '0' },
  // about domains that it is not trusted for, once any are named, its word is only a claim
  isEmailVerified(record: ProviderRecord, claims: Claims) {
    const email = emailOf(claims);
    const isInDoubt = record.trustedDomains !== undefined && email !== undefined && !isTrustedDomain(record, email);
    return isTrue(claims.email_verified) && !isInDoubt;
  },
} as const satisfies Partial<OpenIdSpec>;

const github = {
  server: {
    issuer: 'https://github.com',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
  },
  checks: { pkce: true },
  hint: (login: string) => ({ login }),
  who: githubWho,
};

const facebook = {
  server: {
    issuer: 'https://www.facebook.com',
    authorization_endpoint: 'https://www.facebook.com/v21.0/dialog/oauth',
    token_endpoint: `${facebookGraph}/oauth/access_token`,
  },
  checks: { pkce: false },
  hint: () => ({}),
  who: facebookWho,
};

export function upstreamsOf(dependencies: UpstreamDependencies, saml: Upstream): Upstreams {
  const issuers = new DiscoveredIssuers(dependencies.guard, dependencies.clock);
  return {
    google: openIdUpstream(dependencies, google),
    microsoft: openIdUpstream(dependencies, microsoft),
    apple: openIdUpstream(dependencies, apple),
    linkedin: openIdUpstream(dependencies, linkedin),
    github: plainOAuthUpstream(dependencies, github),
    facebook: plainOAuthUpstream(dependencies, facebook),
    oidc: openIdUpstream(dependencies, { ...usual, ...ownIssuer, client: discoveredClient(issuers) }),
    saml,
  };
}
