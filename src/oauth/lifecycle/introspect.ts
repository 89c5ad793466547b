import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { oauthError, oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientFields, clientOf, formText, organizationAt } from '../protocol/client-call.ts';
import type { ProtocolParts } from '../protocol/parts.ts';
import type { VerifiedToken } from '../tokens/index.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  token: formText(8192),
  token_type_hint: formText(64).describe('Not needed: a token tells what it is'),
});

const inactive = z.strictObject({ active: z.literal(false) });
const active = z.strictObject({
  active: z.literal(true),
  scope: z.string(),
  client_id: z.string(),
  token_type: z.literal('Bearer'),
  exp: z.int(),
  iat: z.int(),
  sub: z.string(),
  aud: z.string(),
  iss: z.string(),
  jti: z.string(),
});

/** `POST {org_api}/oauth/introspect` (RFC 7662). */
export function introspectionEndpoint(parts: ProtocolParts): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/orgs/{orgId}/api/v1/oauth/introspect',
    summary: 'Ask whether a token is valid',
    description:
      'For clients that prove who they are. A token tells something only to the client that it was issued to, or that ' +
      'is its audience: of any other, as of one that is unknown, revoked or expired, the answer is `active: false`.',
    tags: ['OAuth'],
    access: 'public',
    renderer: renderOAuth,
    body: form,
    bodyForm: 'form',
    responses: { 200: z.union([active, inactive]) },
    errors: [oauthProblems.invalid_client, 'not_found', 'unavailable'],
    async handler(call) {
      const { body } = call;
      const organization = organizationAt(parts, call.params.orgId);
      const own = `${issuerUrls(parts.baseUrl, organization.slug).api}/oauth/introspect`;
      const client = await clientOf(parts, organization, call, body, own);
      if (client.document.type === 'public') {
        throw oauthError('invalid_client', 'A client that cannot prove who it is is told nothing of tokens.');
      }
      if (body.token === undefined) throw oauthError('invalid_request', 'token is missing.');
      const token = await parts.verifier.verify(organization, body.token);
      const mayKnow = token !== undefined && (token.clientId === client.id || token.audience === client.id);
      return json(200, mayKnow ? described(token) : { active: false as const });
    },
  });
}

function described(token: VerifiedToken): z.infer<typeof active> {
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.clientId,
    token_type: 'Bearer',
    exp: Math.floor(token.expiresAt / 1000),
    iat: Math.floor(token.issuedAt / 1000),
    sub: token.name,
    aud: token.audience,
    iss: token.issuer,
    jti: token.id,
  };
}
