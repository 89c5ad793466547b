import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { inBothFamilies } from '../../../kernel/organizations/index.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { signingKeys } from '../signing/index.ts';
import { authorizationMembers, providerMetadata, resourceMetadata } from './provider-metadata.ts';

const endpoint = endpointFor<unknown>();
const tags = ['OAuth'];

const texts = z.array(z.string());
const provider = z.strictObject({
  issuer: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  registration_endpoint: z.string().describe('Where clients may register themselves').optional(),
  client_id_metadata_document_supported: z.boolean().describe('Whether a client may be a document at its `client_id`'),
  device_authorization_endpoint: z.string(),
  dpop_signing_alg_values_supported: texts,
  introspection_endpoint: z.string(),
  revocation_endpoint: z.string(),
  end_session_endpoint: z.string(),
  check_session_iframe: z.string(),
  backchannel_logout_supported: z.boolean(),
  backchannel_logout_session_supported: z.boolean(),
  frontchannel_logout_supported: z.boolean(),
  ...authorizationMembers,
  grant_types_supported: texts,
  identity_chaining_requested_token_types_supported: texts.describe('Assertions that are issued').optional(),
  authorization_grant_profiles_supported: texts.describe('Assertions that are taken').optional(),
  token_endpoint_auth_methods_supported: texts,
  token_endpoint_auth_signing_alg_values_supported: texts,
  introspection_endpoint_auth_methods_supported: texts,
  introspection_endpoint_auth_signing_alg_values_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_signing_alg_values_supported: texts,
});
const resource = z.strictObject({
  resource: z.string(),
  authorization_servers: texts,
  bearer_methods_supported: texts,
  dpop_signing_alg_values_supported: texts,
  dpop_bound_access_tokens_required: z.boolean(),
  resource_documentation: z.string(),
});

/** Where clients look for an issuer with a path: behind it, and, by RFC 8414, 3.1, in front of it. */
const providerPaths = [
  '/orgs/{orgId}/.well-known/openid-configuration',
  '/.well-known/openid-configuration/orgs/{orgId}',
  '/.well-known/oauth-authorization-server/orgs/{orgId}',
] as const;

/** Public descriptions of an organization's provider and API. */
export function metadataEndpoints(dependencies: ProtocolDependencies): Endpoint[] {
  return [
    ...providerPaths.map((path) =>
      endpoint({
        method: 'GET',
        path,
        summary: 'Get the metadata of the provider',
        tags,
        access: 'public',
        cors: true,
        responses: { 200: provider },
        errors: ['not_found'],
        handler({ params }) {
          const { slug, store } = organizationAt(dependencies, params.orgId);
          const settings = dependencies.engine.read(() => readSettings(store));
          return json(200, providerMetadata(dependencies.baseUrl, slug, settings));
        },
      }),
    ),
    ...inBothFamilies((base, family) => [
      endpoint({
        method: 'GET',
        path: `/.well-known/oauth-protected-resource${base}`,
        summary: 'Get the API’s metadata as a protected resource',
        tags,
        access: 'public',
        cors: true,
        responses: { 200: resource },
        errors: ['not_found'],
        handler(call) {
          const params: Readonly<Record<string, string>> = call.params;
          const { slug } = organizationAt(dependencies, params.tenant ?? params.orgId ?? '');
          return json(200, resourceMetadata(dependencies.baseUrl, slug, family));
        },
      }),
    ]),
  ];
}

const publicKey = z.strictObject({
  kty: z.string(),
  use: z.literal('sig'),
  alg: z.string(),
  kid: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  n: z.string().optional(),
  e: z.string().optional(),
});

/** `GET {org_api}/oauth/jwks` (RFC 7517, 5): keys that sign, that will, and that have signed what may still live. */
export function jwksEndpoint(dependencies: ProtocolDependencies): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/orgs/{orgId}/api/v1/oauth/jwks',
    summary: 'Get the public keys for an organization’s tokens',
    description: 'A key is here a day before it signs, and as long after as something that it signed can live.',
    tags,
    access: 'public',
    cors: true,
    responses: { 200: z.strictObject({ keys: z.array(publicKey) }) },
    errors: ['not_found', 'unavailable'],
    async handler({ params }) {
      const organization = organizationAt(dependencies, params.orgId);
      await dependencies.keys.ensure(organization);
      const keys = dependencies.engine
        .read(() => signingKeys(organization.store))
        .map(({ id, document }) => ({
          ...(document.publicJwk as { kty: string }),
          use: 'sig' as const,
          alg: document.algorithm,
          kid: id,
        }));
      return json(200, { keys });
    },
  });
}
