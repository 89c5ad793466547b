import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { signingKeys } from '../signing/index.ts';

const endpoint = endpointFor<unknown>();

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
    tags: ['OAuth'],
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
