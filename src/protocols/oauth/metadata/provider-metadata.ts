import { z } from 'zod';
import type { Settings } from '../../../directory/settings/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';
import { promptsWhere, responseModes } from '../authorize/request/authorization-request.ts';
import { claimScopes, permissionsScope, userClaimNames } from '../claims/index.ts';
import { authMethods, jwtBearerGrant } from '../clients/index.ts';
import { proofAlgorithms } from '../dpop/index.ts';
import { idJagProfile } from '../grants/assertions/issue-assertion.ts';
import { idJagUri } from '../grants/grant.ts';
import { grants } from '../grants/grants.ts';
import { authenticationClasses } from '../id-tokens/id-token.ts';
import { issuerUrls } from '../issuer.ts';
import { assertionAlgorithms } from '../remote-keys/index.ts';
import { algorithmNames } from '../signing/index.ts';

const texts = z.array(z.string());

/** Members about authorization requests and what they lead to. */
export const authorizationMembers = {
  authorization_endpoint: z.string(),
  pushed_authorization_request_endpoint: z.string(),
  require_pushed_authorization_requests: z.literal(false),
  userinfo_endpoint: z.string(),
  scopes_supported: texts,
  claims_supported: texts,
  claim_types_supported: texts,
  claims_parameter_supported: z.literal(true),
  response_types_supported: texts,
  response_modes_supported: texts,
  code_challenge_methods_supported: texts,
  prompt_values_supported: texts,
  acr_values_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: z.literal(true),
  request_parameter_supported: z.literal(false),
  request_uri_parameter_supported: z.literal(false),
} as const;

/** Claims of every ID token. */
const always = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'sid'];

/**
 * @param api `{issuer}/api/v1`
 * @param allowSignup whether people may make themselves an account
 */
function authorizationMetadata(api: string, allowSignup: boolean): z.output<z.ZodObject<typeof authorizationMembers>> {
  return {
    authorization_endpoint: `${api}/oauth/authorize`,
    pushed_authorization_request_endpoint: `${api}/oauth/par`,
    require_pushed_authorization_requests: false,
    userinfo_endpoint: `${api}/oauth/userinfo`,
    scopes_supported: ['openid', ...Object.keys(claimScopes), permissionsScope, 'offline_access'],
    claims_supported: [...always, ...userClaimNames],
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: [...responseModes],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...promptsWhere(allowSignup)],
    acr_values_supported: [...authenticationClasses],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...algorithmNames],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

/**
 * What the provider of an organization can do (RFC 8414, 2; OpenID Connect Discovery, 3). Each member stands for
 * something that is served.
 */
export function providerMetadata(baseUrl: string, slug: string, { oauth, signIn }: Settings) {
  const { issuer, api, jwks, tokenEndpoints } = issuerUrls(baseUrl, slug);
  const proving = authMethods.filter((method) => method !== 'none');
  return {
    issuer,
    token_endpoint: tokenEndpoints.org,
    jwks_uri: jwks,
    ...(oauth.dynamicRegistration ? { registration_endpoint: `${api}/connect/register` } : {}),
    client_id_metadata_document_supported: oauth.clientDocuments,
    device_authorization_endpoint: `${api}/oauth/device_authorization`,
    introspection_endpoint: `${api}/oauth/introspect`,
    revocation_endpoint: `${api}/oauth/revoke`,
    end_session_endpoint: `${api}/oauth/end_session`,
    check_session_iframe: `${api}/oauth/check_session`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: false,
    ...authorizationMetadata(api, signIn.allowSignup),
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    grant_types_supported: [...grants.keys()].filter((type) => oauth.identityAssertions || type !== jwtBearerGrant),
    ...(oauth.identityAssertions
      ? {
          identity_chaining_requested_token_types_supported: [idJagUri],
          authorization_grant_profiles_supported: [idJagProfile],
        }
      : {}),
    token_endpoint_auth_methods_supported: [...authMethods],
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    introspection_endpoint_auth_methods_supported: proving,
    introspection_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    revocation_endpoint_auth_methods_supported: [...authMethods],
    revocation_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
  };
}

/** The organization's API as a resource (RFC 9728, 2), which is named as it was asked for (3.3). */
export function resourceMetadata(baseUrl: string, slug: string, family: Family) {
  const { issuer, api, tenantApi } = issuerUrls(baseUrl, slug);
  return {
    resource: family === 'org' ? api : tenantApi,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    dpop_bound_access_tokens_required: false,
    resource_documentation: `${baseUrl}/docs`,
  };
}
