import { defineProblems, type Problem, ProblemError, problem } from '../../../http/index.ts';

/**
 * Errors that the protocol names (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1; RFC 7591, 3.2.2; RFC 8628, 3.5; RFC 8707,
 * 2; RFC 9449, 5; OpenID Connect Core, 3.1.2.6).
 */
export const oauthProblems = defineProblems({
  invalid_client: [401, 'The client could not be authenticated'],
  invalid_grant: [400, 'The grant is invalid'],
  unauthorized_client: [400, 'The client may not use this grant'],
  unsupported_grant_type: [400, 'The grant type is not supported'],
  invalid_scope: [400, 'The scope is invalid'],
  invalid_target: [400, 'The target is invalid'],
  invalid_redirect_uri: [400, 'A redirect URI is invalid'],
  invalid_client_metadata: [400, 'The client metadata is invalid'],
  authorization_pending: [400, 'The user has not answered yet'],
  slow_down: [400, 'Polling too fast'],
  expired_token: [400, 'The device code has expired'],
  invalid_dpop_proof: [400, 'The DPoP proof is invalid'],
  invalid_token: [401, 'The access token is invalid'],
  insufficient_scope: [403, 'The token does not have the required scope'],
  access_denied: [400, 'The user refused'],
  unsupported_response_type: [400, 'The response type is not supported'],
  login_required: [400, 'The user has to sign in'],
  consent_required: [400, 'The user has to agree'],
  unmet_authentication_requirements: [400, 'The user has not proved enough'],
  request_not_supported: [400, 'Request objects are not supported'],
  request_uri_not_supported: [400, 'Requests by reference are not supported'],
  registration_not_supported: [400, 'Registration by a request is not supported'],
});

export type OAuthErrorCode = keyof typeof oauthProblems;

/** What the protocol answers, to be returned by a handler or carried by `oauthError`. */
export function oauthProblem(
  code: OAuthErrorCode | 'invalid_request',
  description: string,
  headers?: Readonly<Record<string, string>>,
): Problem {
  const kind = code === 'invalid_request' ? code : oauthProblems[code];
  return problem(kind, description, headers === undefined ? {} : { headers });
}

/** The same to throw. */
export function oauthError(
  code: OAuthErrorCode | 'invalid_request',
  description: string,
  headers?: Readonly<Record<string, string>>,
): ProblemError {
  return new ProblemError(oauthProblem(code, description, headers));
}
