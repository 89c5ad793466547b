import { z } from 'zod';
import type { Store } from '#engine';
import { agentRecords, getUser, isAdmitted, notAdmitted } from '../../../directory/records/index.ts';
import { type Endpoint, endpointFor, formText, json, ProblemError } from '../../../http/index.ts';
import { claimsOfScopes, keptClaims, userClaims } from '../claims/index.ts';
import { clientAt } from '../clients/index.ts';
import { proofAlgorithms } from '../dpop/index.ts';
import { oauthError, oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { identityClaims } from '../tokens/identity-claims.ts';
import type { VerifiedToken } from '../tokens/index.ts';

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
  // an agent learns nothing of the person in whose name it acts
  if (token.agency !== undefined) {
    throw insufficient('Tokens from a delegation or an elevation cannot be used for user info.');
  }
  if ((token.jkt !== undefined) !== (scheme === 'DPoP')) throw unusable('The token is not of this scheme.', scheme);
  if (token.jkt !== undefined) {
    const request = { store: organization.store, method, url: `${api}/oauth/userinfo` };
    const proved = await proofs.check(proof, { ...request, accessToken: text, jkt: token.jkt });
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
  if (!scopes.includes('openid')) throw insufficient('The token needs the scope openid.');
  const user = getUser(store, userId);
  // a token whose user is gone has ended
  if (user === undefined) throw unusable('The token is not valid here.', 'Bearer');
  const names = new Set([...claimsOfScopes(scopes), ...keptClaims(openId?.claims, 'userinfo')]);
  return { sub: userId, ...userClaims(store, user, names, now) };
}

/** A token as a request brings it. */
interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly text: string;
}

const TOKEN_MAX = 4096;

/**
 * From the header, or from the form (RFC 6750, 2; RFC 9449, 7.1).
 * @throws ProblemError 401 where there is none, `invalid_request` where there are two
 */
function presentedToken(authorization: string, inForm: string | undefined): PresentedToken {
  const [, scheme = '', text = ''] = /^(Bearer|DPoP) +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization) ?? [];
  if (text !== '' && inForm !== undefined) throw oauthError('invalid_request', 'The token must be sent exactly once.');
  const token = inForm ?? text;
  if (token === '' || token.length > TOKEN_MAX) throw unusable('Send an access token as Bearer or DPoP.', 'Bearer', '');
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', text: token };
}

const algorithms = `algs="${proofAlgorithms.join(' ')}"`;

/**
 * 401 (RFC 6750, 3; RFC 9449, 7.1): names both schemes, and the error with the scheme that was used. Without a token
 * there is no error to name.
 */
function unusable(description: string, scheme: PresentedToken['scheme'], error = 'invalid_token') {
  const named = error === '' ? [] : [`error="${error}"`, `error_description="${description}"`];
  const bearer = ['realm="relata"', ...(scheme === 'Bearer' ? named : [])].join(', ');
  const dpop = [...(scheme === 'DPoP' ? named : []), algorithms].join(', ');
  return oauthError('invalid_token', description, { 'www-authenticate': `Bearer ${bearer}, DPoP ${dpop}` });
}

/** 403 (RFC 6750, 3.1). */
function insufficient(description: string) {
  return oauthError('insufficient_scope', description, {
    'www-authenticate': 'Bearer realm="relata", error="insufficient_scope", scope="openid"',
  });
}
