import type { Family } from '../../../kernel/lists/index.ts';
import { authMethods, jwtBearerGrant } from '../clients/index.ts';
import { proofAlgorithms } from '../dpop/index.ts';
import { idJagProfile } from '../grants/assertions/issue-assertion.ts';
import { idJagUri } from '../grants/grant.ts';
import { grants } from '../grants/grants.ts';
import { issuerUrls } from '../issuer.ts';
import { assertionAlgorithms } from '../remote-keys/index.ts';
import { authorizationMetadata } from './authorization-metadata.ts';

/** What the organization lets come by itself: clients that register themselves or are documents, people who sign up. */
interface OpenTo {
  /** Whether assertions about its users go to other servers, and come from them. */
  readonly assertions: boolean;
  readonly clients: boolean;
  readonly documents: boolean;
  readonly people: boolean;
}

/**
 * What the provider of an organization can do (RFC 8414, 2; OpenID Connect Discovery, 3). Each member stands for
 * something that is served.
 * @param open what the organization lets come by itself
 */
export function providerMetadata(baseUrl: string, slug: string, open: OpenTo) {
  const { issuer, api, jwks, tokenEndpoints } = issuerUrls(baseUrl, slug);
  const proving = authMethods.filter((method) => method !== 'none');
  return {
    issuer,
    token_endpoint: tokenEndpoints.org,
    jwks_uri: jwks,
    ...(open.clients ? { registration_endpoint: `${api}/connect/register` } : {}),
    client_id_metadata_document_supported: open.documents,
    device_authorization_endpoint: `${api}/oauth/device_authorization`,
    introspection_endpoint: `${api}/oauth/introspect`,
    revocation_endpoint: `${api}/oauth/revoke`,
    end_session_endpoint: `${api}/oauth/end_session`,
    check_session_iframe: `${api}/oauth/check_session`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: false,
    ...authorizationMetadata(api, open.people),
    dpop_signing_alg_values_supported: [...proofAlgorithms],
    grant_types_supported: [...grants.keys()].filter((type) => open.assertions || type !== jwtBearerGrant),
    ...(open.assertions
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
