import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { notFound } from '../../kernel/transactions/index.ts';
import { issuerUrls, permissionsScope, proofAlgorithms } from '../../protocols/oauth/index.ts';
import type { McpDependencies } from './mcp-dependencies.ts';

const endpoint = endpointFor<unknown>();
const texts = z.array(z.string());

/** What clients of the Model Context Protocol read first (RFC 9728, 3): whom they get a token from, and with which scope. */
export function mcpResourceEndpoint({ engine, directory, baseUrl }: McpDependencies): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/t/{tenant}/api/v1/mcp',
    summary: 'Get the MCP server’s metadata as a protected resource',
    tags: ['Model Context Protocol'],
    access: 'public',
    cors: true,
    responses: {
      200: z.strictObject({
        resource: z.string(),
        authorization_servers: texts,
        scopes_supported: texts,
        bearer_methods_supported: texts,
        dpop_signing_alg_values_supported: texts,
        dpop_bound_access_tokens_required: z.boolean(),
        resource_documentation: z.string(),
      }),
    },
    errors: ['not_found'],
    handler({ params }) {
      const organization = engine.read(() => directory.find(params.tenant));
      if (organization === undefined) throw notFound();
      const { issuer, mcp } = issuerUrls(baseUrl, organization.slug);
      return json(200, {
        resource: mcp,
        authorization_servers: [issuer],
        scopes_supported: [permissionsScope],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: [...proofAlgorithms],
        dpop_bound_access_tokens_required: false,
        resource_documentation: `${baseUrl}/docs`,
      });
    },
  });
}
