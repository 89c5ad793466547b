import { type Configuration, fetchUserInfo, type ServerMetadata } from 'openid-client';
import type { ProviderRecord } from '../../providers/index.ts';
import { type Claims, emailOf, identityFrom } from './claims.ts';
import {
  authorizationUrl,
  type Checks,
  clientOf,
  described,
  exchangeCode,
  type SecretIn,
  type Tokens,
  type UpstreamDependencies,
} from './code-flow.ts';
import {
  type AnswerBy,
  type AnswerParameters,
  type AttemptSecrets,
  type OpenProvider,
  type Upstream,
  UpstreamError,
} from './upstream.ts';

/** A client as one attempt uses it, and how it proves itself. */
export type OpenIdClient = (dependencies: UpstreamDependencies, provider: OpenProvider) => Promise<Configuration>;

/** Everything that tells one OpenID Connect provider from another. */
export interface OpenIdSpec {
  readonly method: Upstream['method'];
  readonly answersBy: AnswerBy;
  readonly client: OpenIdClient;
  readonly checks: Checks;
  /** Scopes that it needs in any case. */
  readonly scopes: readonly string[];
  readonly parameters: (record: ProviderRecord) => Readonly<Record<string, string>>;
  /** How it is asked to let people prove again who they are. */
  readonly freshParameters: Readonly<Record<string, string>>;
  /** @throws UpstreamError `not_admitted` for whom the configuration shuts out */
  readonly admit: (record: ProviderRecord, claims: Claims) => void;
  readonly isEmailVerified: (record: ProviderRecord, claims: Claims) => boolean;
  /** Whether it runs the domain of the email address that it tells. */
  readonly runsDomain: (claims: Claims) => boolean;
  /** Claims that come beside the token and are nobody's word: names alone are taken from them. */
  readonly unsigned: (answer: AnswerParameters) => Claims;
}

/** OpenID Connect Core 1.0, 3.1, by `openid-client`. */
export function openIdUpstream(dependencies: UpstreamDependencies, spec: OpenIdSpec): Upstream {
  const { method, answersBy, checks } = spec;
  return {
    method,
    answersBy,
    async request(provider, attempt, { loginHint, isFresh }) {
      const { record } = provider;
      const config = await spec.client(dependencies, provider);
      const scope = [...new Set([...spec.scopes, ...record.scopes])].join(' ');
      const hint = loginHint === undefined ? {} : { login_hint: loginHint };
      const fresh = isFresh ? spec.freshParameters : {};
      return authorizationUrl(config, provider, attempt, checks, {
        scope,
        ...hint,
        ...fresh,
        ...spec.parameters(record),
      });
    },
    async answer(provider, attempt, answer) {
      const { record } = provider;
      const config = await spec.client(dependencies, provider);
      const tokens = await exchangeCode(config, provider, attempt, checks, answer, true);
      const signed = tokens.claims();
      if (signed === undefined) throw new UpstreamError('rejected', 'there is no ID token');
      requireFresh(signed.auth_time, attempt);
      const claims = await withUserInfo(config, tokens, signed);
      spec.admit(record, claims);
      return identityFrom(
        record,
        { ...spec.unsigned(answer), ...claims },
        {
          issuer: signed.iss,
          subject: signed.sub,
          emailVerified: spec.isEmailVerified(record, claims),
          runsDomain: spec.runsDomain(claims),
        },
      );
    },
  };
}

/** What clocks may differ by. */
const SKEW_MS = 2 * 60_000;

/** Where a provider says when somebody signed in there, it must have been since we asked for it. */
function requireFresh(authTime: unknown, { freshSince }: AttemptSecrets): void {
  if (freshSince === undefined || typeof authTime !== 'number') return;
  if (authTime * 1000 < freshSince - SKEW_MS) throw new UpstreamError('rejected', 'the sign-in there is an old one');
}

/** Many put the address into the ID token; others tell it at the userinfo endpoint alone. What is signed wins. */
async function withUserInfo(config: Configuration, tokens: Tokens, signed: Claims & { sub: string }): Promise<Claims> {
  if (emailOf(signed) !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return signed;
  const told = await described(() => fetchUserInfo(config, tokens.access_token, signed.sub));
  return { ...told, ...signed };
}

/** A provider whose endpoints are known for good. */
export function fixedClient(
  server: ServerMetadata,
  secretOf: (dependencies: UpstreamDependencies, provider: OpenProvider) => string | Promise<string> = (_, provider) =>
    requiredSecret(provider),
): OpenIdClient {
  return async (dependencies, provider) =>
    clientOf(dependencies, provider, server, { text: await secretOf(dependencies, provider), in: 'body' });
}

/** @throws UpstreamError where the provider is configured without one */
export function requiredSecret({ secrets }: OpenProvider): string {
  if (secrets.clientSecret === undefined) throw new UpstreamError('misconfigured', 'the provider has no clientSecret');
  return secrets.clientSecret;
}

/** OpenID Connect Discovery, 3: where nothing is said, the secret goes into the header. */
export function secretIn(methods: readonly string[]): SecretIn {
  return methods.length === 0 || methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? 'header'
    : 'body';
}
