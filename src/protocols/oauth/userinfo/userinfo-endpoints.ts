import { z } from 'zod';
import type { Store } from '#engine';
import { agentRecords, getUser, isAdmitted, notAdmitted } from '../../../directory/records/index.ts';
import { type Endpoint, endpointFor, formText, json, ProblemError } from '../../../http/index.ts';
import { claimsOfScopes, keptClaims, userClaims } from '../claims/index.ts';
import { clientAt } from '../clients/index.ts';
import { oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { identityClaims } from '../tokens/identity-claims.ts';
import type { VerifiedToken } from '../tokens/index.ts';
import { insufficient, notOfThePerson, presentedToken, unusable } from './presented-token.ts';

const endpoint = endpointFor<unknown>();

const userinfo = z
  .looseObject({ sub: z.string() })
  .describe('Claims by the scopes of the token and the `claims` of the request that it comes from');

const described = {
  path: '/orgs/{orgId}/api/v1/oauth/userinfo',
  summary: 'Get the user of the token',
  description:
    'OpenID Connect Core, 5.3. A token of a user needs the scope `openid`; of a client that acts for itself it tells ' +
    'the name and the roles, and of an agent the type.',
  tags: ['OAuth'],
  access: 'public',
  cors: true,
  renderer: renderOAuth,
  responses: { 200: userinfo },
  errors: [
    oauthProblems.invalid_token,
    oauthProblems.insufficient_scope,
    'forbidden',
    'not_found',
    'invalid_request',
    'unavailable',
  ],
} as const;

interface Told {
  clientAddress(): string;
  header(name: string): string;
  readonly params: { readonly orgId: string };
}

/** `GET` and `POST {org_api}/oauth/userinfo`. */
export function userinfoEndpoints(dependencies: ProtocolDependencies): Endpoint[] {
  return [
    endpoint({ ...described, method: 'GET', handler: (call) => answer(dependencies, 'GET', call, undefined) }),
    endpoint({
      ...described,
      method: 'POST',
      body: z.object({ access_token: formText(4096) }).optional(),
      bodyForm: 'form',
      bodyOptional: true,
      handler: (call) => answer(dependencies, 'POST', call, call.body?.access_token),
    }),
  ];
}

async function answer(dependencies: ProtocolDependencies, method: string, call: Told, inForm: string | undefined) {
  const { engine, verifier, proofs, tokens, baseUrl } = dependencies;
  const organization = organizationAt(dependencies, call.params.orgId);
  const proof = call.header('dpop');
  const address = call.clientAddress();
  const { scheme, text } = presentedToken(call.header('authorization'), inForm);
  const { api } = issuerUrls(baseUrl, organization.slug);
  const token = await verifier.verify(organization, text);
  if (token === undefined || token.audience !== api) throw unusable('The token is not valid here.', scheme);
  if (token.agency !== undefined) throw notOfThePerson();
  if ((token.jkt !== undefined) !== (scheme === 'DPoP')) throw unusable('The token is not of this scheme.', scheme);
  if (token.jkt !== undefined) {
    const url = `${api}/oauth/userinfo`;
    const proved = await proofs.check(proof, {
      store: organization.store,
      method,
      url,
      accessToken: text,
      jkt: token.jkt,
    });
    if ('fault' in proved) throw unusable(proved.fault, 'DPoP', 'invalid_dpop_proof');
  }
  requireAdmitted(dependencies, organization.store, token, address);
  tokens.touch(organization.store, token.id);
  return json(
    200,
    engine.read(() => claimsOf(organization.store, token, dependencies.clock.now())),
  );
}

/** An agent's token is accepted from where the agent is. @throws ProblemError 403 */
function requireAdmitted(
  { engine }: ProtocolDependencies,
  store: Store,
  { isOfAgent, clientId }: VerifiedToken,
  address: string,
): void {
  const agent = isOfAgent ? engine.read(() => agentRecords.get(store, clientId)) : undefined;
  if (agent !== undefined && !isAdmitted(agent.document, address)) throw new ProblemError(notAdmitted());
}

function claimsOf(
  store: Store,
  { name, subject, userId, clientId, scopes, openId }: VerifiedToken,
  now: number,
): { sub: string } {
  if (userId === undefined) {
    const client = clientAt(store, clientId)?.document;
    const type = agentRecords.get(store, clientId)?.document.type;
    const { roles = [] } = identityClaims(store, subject, now);
    return { sub: name, ...(client && { name: client.name }), ...(type && { type }), ...{ roles } };
  }
  if (!scopes.includes('openid')) throw insufficient('openid');
  const user = getUser(store, userId);
  // a token whose user is gone has ended
  if (user === undefined) throw unusable('The token is not valid here.', 'Bearer');
  const names = new Set([...claimsOfScopes(scopes), ...keptClaims(openId?.claims, 'userinfo')]);
  return { sub: userId, ...userClaims(store, user, names, now) };
}
