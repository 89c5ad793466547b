import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration as ClientConfiguration,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  enableNonRepudiationChecks,
  ResponseBodyError,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { Clock } from '../../../platform/index.ts';
import { fetchThrough, type Reach } from './reach.ts';
import { type AnswerParameters, type AttemptSecrets, type OpenProvider, UpstreamError } from './upstream.ts';

/** What asking a provider needs beside the provider. */
export interface UpstreamDependencies extends Reach {
  readonly clock: Clock;
}

/** How a client proves itself at the token endpoint. */
export type SecretIn = 'body' | 'header';

/** What a provider understands: where one is known not to, it is bound by `state` and by its callback URL alone. */
export interface Checks {
  readonly pkce: boolean;
  /** Of OpenID Connect, in the ID token. */
  readonly nonce: boolean;
}

/** A client of `openid-client` that reaches out by our rules and reads our clock. It is made anew for each use, so that
 * keys which a provider has changed or withdrawn are never remembered. */
export function clientOf(
  dependencies: UpstreamDependencies,
  { record }: OpenProvider,
  server: ServerMetadata,
  secret: { readonly text: string; readonly in: SecretIn },
): Configuration {
  const skew = Math.round((dependencies.clock.now() - Date.now()) / 1000);
  const proof = secret.in === 'body' ? ClientSecretPost(secret.text) : ClientSecretBasic(secret.text);
  const config = new ClientConfiguration(server, record.clientId, { [clockSkew]: skew }, proof);
  prepare(dependencies, config);
  return config;
}

export function prepare(dependencies: UpstreamDependencies, config: Configuration): void {
  config[customFetch] = fetchThrough(dependencies);
  // the guard is what refuses plain http; it lets it pass in tests alone
  if (dependencies.guard.allowsPrivate) allowInsecureRequests(config);
  // the signature counts also where the token came over TLS
  enableNonRepudiationChecks(config);
}

export async function authorizationUrl(
  config: Configuration,
  { callbackUrl }: OpenProvider,
  attempt: AttemptSecrets,
  checks: Checks,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const challenge = checks.pkce
    ? { code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier), code_challenge_method: 'S256' }
    : {};
  const url = buildAuthorizationUrl(config, {
    response_type: 'code',
    redirect_uri: callbackUrl,
    state: attempt.state,
    ...(checks.nonce ? { nonce: attempt.nonce } : {}),
    ...challenge,
    ...parameters,
  });
  return url.href;
}

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** Members of an answer that mean something in the code flow (RFC 6749, 4.1.2; RFC 9207). */
const answerNames = ['code', 'state', 'iss', 'error', 'error_description'] as const;

/** Exchanges the code; state, issuer, nonce, audience, times and the signature of an ID token have been checked then. */
export async function exchangeCode(
  config: Configuration,
  { callbackUrl }: OpenProvider,
  attempt: AttemptSecrets,
  checks: Checks,
  answer: AnswerParameters,
  idTokenExpected: boolean,
): Promise<Tokens> {
  const url = new URL(callbackUrl);
  for (const name of answerNames) if (answer[name] !== undefined) url.searchParams.set(name, answer[name]);
  return described(() =>
    authorizationCodeGrant(config, url, {
      expectedState: attempt.state,
      idTokenExpected,
      ...(checks.nonce ? { expectedNonce: attempt.nonce } : {}),
      ...(checks.pkce ? { pkceCodeVerifier: attempt.codeVerifier } : {}),
    }),
  );
}

const cancelled = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize', 'user_denied']);
const passing = new Set(['temporarily_unavailable', 'server_error', 'login_required', 'interaction_required']);

/** What `openid-client` throws, as a fault of ours. */
export async function described<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof UpstreamError) throw cause;
      if (cause instanceof AuthorizationResponseError) throw ofAnswer(cause);
      if (cause instanceof ResponseBodyError) throw ofTokenEndpoint(cause);
      if (cause instanceof WWWAuthenticateChallengeError) {
        throw new UpstreamError('misconfigured', 'the provider does not accept the client', cause);
      }
    }
    if (!(error instanceof Error)) throw error;
    throw new UpstreamError('rejected', reasonOf(error), error);
  }
}

function ofAnswer(error: AuthorizationResponseError): UpstreamError {
  const fault = cancelled.has(error.error) ? 'refused' : passing.has(error.error) ? 'unreachable' : 'misconfigured';
  return new UpstreamError(fault, `the provider answered ${error.error}`, error);
}

function ofTokenEndpoint(error: ResponseBodyError): UpstreamError {
  const fault = error.error === 'invalid_grant' ? 'rejected' : 'misconfigured';
  return new UpstreamError(fault, `the token endpoint answered ${error.error}`, error);
}

/** The innermost message tells which check failed; it says nothing of the tokens themselves. */
function reasonOf(error: Error): string {
  let reason = error.message;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) reason = cause.message;
  return reason;
}
