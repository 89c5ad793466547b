import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { existing } from '../../kernel/transactions/index.ts';
import { decisionPoint } from './addresses.ts';
import { type AuthZenDependencies, tags } from './dependencies.ts';

const endpoint = endpointFor<unknown>();

const metadata = z.strictObject({
  policy_decision_point: z.string(),
  access_evaluation_endpoint: z.string(),
  access_evaluations_endpoint: z.string(),
  access_request_endpoint: z.string(),
  jwks_uri: z
    .string()
    .describe('The keys of what the requests profile has signed: binding tokens, states of approvals'),
  capabilities: z.array(z.string()),
});

/** In front of the path of the issuer, as AuthZEN has it, and behind it. */
const metadataPaths = [
  '/.well-known/authzen-configuration/orgs/{orgId}',
  '/orgs/{orgId}/.well-known/authzen-configuration',
] as const;

/** Where an organization decides (Authorization API 1.0, 9). */
export function metadataEndpoints({ engine, directory, baseUrl }: AuthZenDependencies): Endpoint[] {
  return metadataPaths.map((path) =>
    endpoint({
      method: 'GET',
      path,
      summary: 'Get the metadata of AuthZEN',
      description: 'The metadata of the policy decision point.',
      tags,
      access: 'public',
      cors: true,
      responses: { 200: metadata },
      errors: ['not_found'],
      handler({ params }) {
        const { slug } = existing(engine.read(() => directory.find(params.orgId)));
        const { issuer, evaluation, evaluations, requests, jwks } = decisionPoint(baseUrl, slug);
        return json(200, {
          policy_decision_point: issuer,
          access_evaluation_endpoint: evaluation,
          access_evaluations_endpoint: evaluations,
          access_request_endpoint: requests,
          jwks_uri: jwks,
          capabilities: ['urn:openid:authzen:capability:access-request'],
        });
      },
    }),
  );
}
