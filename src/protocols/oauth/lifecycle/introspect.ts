import { z } from 'zod';
import { type Endpoint, endpointFor, formText, json } from '../../../http/index.ts';
import type { TokenEntry } from '../../../identity/sessions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type ClientEntry, optionOf } from '../clients/index.ts';
import { oauthError, oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientFields, clientOf, organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { type ActClaim, actClaim, type VerifiedToken } from '../tokens/index.ts';
import { grantBehind } from './grant-behind.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  token: formText(8192),
  token_type_hint: formText(64).describe('Not needed: a token tells what it is'),
});

const inactive = z.strictObject({ active: z.literal(false) }).meta({ id: 'InactiveToken' });
const act: z.ZodType<ActClaim> = z
  .strictObject({
    sub: z.string(),
    get act() {
      return act.optional();
    },
  })
  .meta({ id: 'ActClaim' });
const active = z.strictObject({
  active: z.literal(true),
  scope: z.string(),
  client_id: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']).describe('Of an access token').optional(),
  exp: z.int(),
  iat: z.int(),
  sub: z.string(),
  aud: z.string().describe('Of an access token').optional(),
  iss: z.string(),
  jti: z.string().describe('Of an access token').optional(),
  cnf: z.strictObject({ jkt: z.string() }).describe('The key that its holder proves (RFC 9449, 6.2)').optional(),
  act: act.describe('Who acts for the subject (RFC 8693, 4.1)').optional(),
});

/** `POST {org_api}/oauth/introspect` (RFC 7662). */
export function introspectionEndpoint(dependencies: ProtocolDependencies): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/orgs/{orgId}/api/v1/oauth/introspect',
    summary: 'Introspect a token',
    description:
      'For clients that prove who they are. An access token tells something only to the client that it was issued to, or ' +
      'that serves its audience, a refresh token only to its client: of any other, as of one that is unknown, revoked or ' +
      'expired, the answer is `active: false`.',
    tags: ['OAuth'],
    access: 'public',
    renderer: renderOAuth,
    body: form,
    bodyForm: 'form',
    responses: { 200: z.union([active, inactive]) },
    errors: [oauthProblems.invalid_client, 'forbidden', 'not_found', 'unavailable'],
    async handler(call) {
      const { body } = call;
      dependencies.requireHeard?.('token');
      const organization = organizationAt(dependencies, call.params.orgId);
      const own = `${issuerUrls(dependencies.baseUrl, organization.slug).api}/oauth/introspect`;
      const client = await clientOf(dependencies, organization, call, body, own);
      if (client.document.type === 'public') {
        throw oauthError('invalid_client', 'Clients that cannot authenticate may not introspect tokens.');
      }
      if (body.token === undefined) throw oauthError('invalid_request', 'token is missing.');
      const found = (await described(dependencies, organization, client, body.token)) ?? { active: false as const };
      return json(200, found);
    },
  });
}

type Description = z.output<typeof active>;

/** What the client may know of a token; nothing where it may not, or where the token is not good. */
async function described(
  dependencies: ProtocolDependencies,
  organization: Organization,
  client: ClientEntry,
  text: string,
): Promise<Description | undefined> {
  const grant = grantBehind(dependencies, organization, text);
  if (grant !== undefined)
    return grant.document.clientId === client.id ? ofGrant(dependencies, organization, grant) : undefined;
  const token = await dependencies.verifier.verify(organization, text);
  if (token === undefined) return undefined;
  const servedResources = optionOf(client.document, 'servedResources');
  const isOurs = token.clientId === client.id || [client.id, ...servedResources].includes(token.audience);
  return isOurs ? ofAccess(token) : undefined;
}

function ofAccess(token: VerifiedToken): Description {
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.clientId,
    token_type: token.jkt === undefined ? 'Bearer' : 'DPoP',
    exp: Math.floor(token.expiresAt / 1000),
    iat: Math.floor(token.issuedAt / 1000),
    sub: token.name,
    aud: token.audience,
    iss: token.issuer,
    jti: token.id,
    ...(token.jkt === undefined ? {} : { cnf: { jkt: token.jkt } }),
    ...(token.actor === undefined ? {} : { act: actClaim(token.actor) }),
  };
}

function ofGrant({ baseUrl }: ProtocolDependencies, { slug }: Organization, { document }: TokenEntry): Description {
  const { scopes, clientId, userId, createdAt, expiresAt, jkt, actor } = document;
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: clientId,
    exp: Math.floor(expiresAt / 1000),
    iat: Math.floor(createdAt / 1000),
    sub: userId ?? clientId,
    iss: issuerUrls(baseUrl, slug).issuer,
    ...(jkt === undefined ? {} : { cnf: { jkt } }),
    ...(actor === undefined ? {} : { act: actClaim(actor) }),
  };
}
