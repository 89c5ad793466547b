import { z } from 'zod';
import { factsOf } from '../../audit/index.ts';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { type FamilyBase, inBothFamilies } from '../../orgs/index.ts';
import { oauthError, oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientFields, clientOf, formText, organizationAt } from '../protocol/client-call.ts';
import type { ProtocolParts } from '../protocol/parts.ts';
import { grants } from './grants.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  grant_type: formText(256).describe(`One of ${[...grants.keys()].join(', ')}`),
  scope: formText(8192).describe('Names apart by spaces; everything that the client may have where it is left out'),
  resource: formText(2048).describe('The API that the token is for (RFC 8707): the only one is the organization’s own'),
});

const answer = z.strictObject({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  expires_in: z.int().describe('Seconds'),
  scope: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  issued_token_type: z.string().describe('Of an exchange').optional(),
});

/** `POST {api}/oauth/token` (RFC 6749, 3.2), in both families. */
export function tokenEndpoints(parts: ProtocolParts): Endpoint[] {
  return inBothFamilies((base, family) => [tokenEndpoint(parts, base, family)]);
}

function tokenEndpoint(parts: ProtocolParts, base: FamilyBase, family: 'org' | 'tenant'): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/oauth/token`,
    summary: 'Get an access token',
    description:
      'Errors are those of RFC 6749. A client acts for itself with `client_credentials`, as the subject ' +
      '`oauth_client:{client_id}`: its token does what a scope names and the engine allows.',
    tags: ['OAuth'],
    access: 'public',
    cors: true,
    renderer: renderOAuth,
    body: form,
    bodyForm: 'form',
    responses: { 200: answer },
    errors: [
      oauthProblems.invalid_client,
      oauthProblems.invalid_grant,
      oauthProblems.invalid_scope,
      oauthProblems.invalid_target,
      oauthProblems.unauthorized_client,
      oauthProblems.unsupported_grant_type,
      'not_found',
      'unavailable',
    ],
    async handler(call) {
      const { body } = call;
      const params: Readonly<Record<string, string>> = call.params;
      // read before anything is waited for: the request is used again then
      const facts = factsOf(call);
      const organization = organizationAt(parts, params.tenant ?? params.orgId ?? '');
      const { api, tokenEndpoints: own } = issuerUrls(parts.baseUrl, organization.slug);
      const client = await clientOf(parts, organization, call, body, own[family]);
      if (body.grant_type === undefined) throw oauthError('invalid_request', 'grant_type is missing.');
      const grant = grants.get(body.grant_type);
      if (grant === undefined) throw oauthError('unsupported_grant_type', 'There is no such grant type.');
      if (!client.document.grantTypes.includes(grant.type)) {
        throw oauthError('unauthorized_client', `The client is not registered for ${grant.type}.`);
      }
      if (body.resource !== undefined && body.resource !== api) {
        throw oauthError('invalid_target', 'Tokens are for the organization’s own API alone.');
      }
      return json(200, await grant.issue(parts, { organization, client, form: body, facts }));
    },
  });
}
