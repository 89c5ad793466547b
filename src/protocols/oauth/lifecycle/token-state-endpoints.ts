import { z } from 'zod';
import { actors } from '../../../directory/records/index.ts';
import { bytes, type Endpoint, endpointFor, formText, json } from '../../../http/index.ts';
import { liveToken, revokeToken, type TokenEntry } from '../../../identity/sessions/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { type ClientEntry, optionOf, subjectOfClient } from '../clients/index.ts';
import { oauthError, oauthProblems } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientAtEndpoint, clientEndpoint, clientFields } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { type ActClaim, actClaim, readGrantText, type VerifiedToken } from '../tokens/index.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  token: formText(8192),
  token_type_hint: formText(64).describe('Not needed: a token tells what it is'),
});

const errors = [oauthProblems.invalid_client, 'forbidden', 'not_found', 'unavailable'] as const;

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
    ...clientEndpoint,
    path: '/orgs/{orgId}/api/v1/oauth/introspect',
    summary: 'Introspect a token',
    description:
      'For clients that prove who they are. An access token tells something only to the client that it was issued to, or ' +
      'that serves its audience, a refresh token only to its client: of any other, as of one that is unknown, revoked or ' +
      'expired, the answer is `active: false`.',
    body: form,
    responses: { 200: z.union([active, inactive]) },
    errors,
    async handler(call) {
      const { body } = call;
      dependencies.requireHeard?.('token');
      const { organization, client } = await clientAtEndpoint(dependencies, call, 'introspect');
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
  const { grant, isCurrent = false } = grantBehind(dependencies, organization, text) ?? {};
  if (grant !== undefined && isCurrent) {
    return grant.document.clientId === client.id ? ofGrant(dependencies, organization, grant) : undefined;
  }
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

/** `POST {org_api}/oauth/revoke` (RFC 7009). */
export function revocationEndpoint(dependencies: ProtocolDependencies): Endpoint {
  return endpoint({
    ...clientEndpoint,
    path: '/orgs/{orgId}/api/v1/oauth/revoke',
    summary: 'Revoke a token as its client',
    description:
      'The token fails on its next use, everywhere. A refresh token, even a used one, revokes everything that its grant ' +
      'has issued. An unknown or ended token is no error (RFC 7009, 2.2). A token of another client gets the same ' +
      'answer, and stays valid.',
    cors: true,
    body: form,
    responses: { 200: { description: 'It is not valid any more.' } },
    errors,
    async handler(call) {
      const { body } = call;
      const facts = factsOf(call);
      const { organization, client } = await clientAtEndpoint(dependencies, call, 'revoke');
      if (body.token === undefined) throw oauthError('invalid_request', 'token is missing.');
      const token = await ownedToken(dependencies, organization, body.token);
      // an error would reveal that the token of another client is valid
      if (token?.clientId !== client.id) return bytes(200, 'text/plain', '');
      const actor = actors.audited(subjectOfClient(client));
      await transactAs(dependencies, organization, actor, facts, (transaction) => {
        const entry = liveToken(transaction.store, token.id, transaction.now);
        if (entry !== undefined) revokeToken(transaction, entry, 'client');
      });
      return bytes(200, 'text/plain', '');
    },
  });
}

/** The token, of whichever type. */
async function ownedToken(dependencies: ProtocolDependencies, organization: Organization, text: string) {
  // a used one too: a client may have lost the answer with the next one
  const grant = grantBehind(dependencies, organization, text)?.grant;
  if (grant !== undefined) return { id: grant.id, clientId: grant.document.clientId };
  return dependencies.verifier.verify(organization, text);
}

/** The grant of a refresh token, while it goes on, and whether that token is its current one. */
function grantBehind(
  { engine, clock, sealer }: ProtocolDependencies,
  organization: Organization,
  text: string,
): { readonly grant: TokenEntry; readonly isCurrent: boolean } | undefined {
  const presented = readGrantText(sealer, organization, 'refresh', text);
  if (presented === undefined) return undefined;
  const entry = engine.read(() => liveToken(organization.store, presented.id, clock.now()));
  if (entry?.document.type !== 'refresh') return undefined;
  return { grant: entry, isCurrent: entry.document.generation === presented.generation };
}
