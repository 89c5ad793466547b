import { z } from 'zod';
import { type Endpoint, endpointFor, FixedHeaders, formText, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type FamilyBase, inBothFamilies, type Organization } from '../../../kernel/organizations/index.ts';
import { type ClientEntry, optionOf } from '../clients/index.ts';
import { oauthError, oauthProblems } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientEndpoint, clientFields, clientOf, organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { tokenResponseSchema } from '../tokens/access-token.ts';
import { soleResource } from './audience.ts';
import { type Grant, idJagUri, type TokenForm, tokenFields } from './grant.ts';
import { GrantTurns } from './grant-turns.ts';
import { grants } from './grants.ts';
import { tokenExchange } from './token-exchange.ts';

const endpoint = endpointFor<unknown>();

/** RFC 6749, 5.1. */
const uncached = new FixedHeaders({ pragma: 'no-cache' });

const form = z.object({
  ...clientFields,
  grant_type: formText(256).describe(`One of ${[...grants.keys()].join(', ')}`),
  ...tokenFields,
});

/** `POST {api}/oauth/token` (RFC 6749, 3.2), in both families. */
export function tokenEndpoints(dependencies: ProtocolDependencies): Endpoint[] {
  const turns = new GrantTurns();
  return inBothFamilies((base, family) => [tokenEndpoint(dependencies, turns, base, family)]);
}

function tokenEndpoint(
  dependencies: ProtocolDependencies,
  turns: GrantTurns,
  base: FamilyBase,
  family: 'org' | 'tenant',
): Endpoint {
  return endpoint({
    ...clientEndpoint,
    path: `${base}/oauth/token`,
    summary: 'Get an access token',
    description:
      'Errors are those of RFC 6749 and of the extensions that are named beside the parameters. A client acts for itself ' +
      'with `client_credentials`, as the subject `oauth_client:{client_id}`: its token does what a scope names and the ' +
      'engine allows. An agent does so with its id and key, as `agent:{client_id}`; its scopes are permissions that it ' +
      'holds. With a header `DPoP` the token is bound to the key that it proves (RFC 9449).',
    cors: true,
    body: form,
    responses: { 200: tokenResponseSchema },
    errors: [
      oauthProblems.invalid_client,
      oauthProblems.invalid_dpop_proof,
      oauthProblems.invalid_grant,
      oauthProblems.invalid_scope,
      oauthProblems.invalid_target,
      oauthProblems.unauthorized_client,
      oauthProblems.unsupported_grant_type,
      oauthProblems.access_denied,
      oauthProblems.authorization_pending,
      oauthProblems.expired_token,
      oauthProblems.slow_down,
      'forbidden',
      'not_found',
      'unavailable',
    ],
    async handler(call) {
      const { body } = call;
      const params: Readonly<Record<string, string>> = call.params;
      // read before anything is waited for: the request is used again then
      const facts = factsOf(call);
      const proof = call.header('dpop');
      const organization = organizationAt(dependencies, params.tenant ?? params.orgId ?? '');
      const urls = issuerUrls(dependencies.baseUrl, organization.slug);
      const own = urls.tokenEndpoints;
      const client = await clientOf(dependencies, organization, call, own[family]);
      const grant = grantOf(body.grant_type, client);
      const request = {
        organization,
        client,
        form: body,
        resource: soleResource(urls, body.resource, namesResource(grant, body) ? body.audience : undefined),
        proof: await proofOf(dependencies, organization, client, { text: proof, url: own[family] }),
        facts,
      };
      return json(200, await turns.issue(grant, dependencies, request), uncached);
    },
  });
}

/** An assertion is for another server, and for that server's APIs. */
function namesResource(grant: Grant, { requested_token_type: requested }: TokenForm): boolean {
  return grant === tokenExchange && requested !== idJagUri;
}

/** @throws ProblemError `invalid_request`, `unsupported_grant_type`, `unauthorized_client` */
function grantOf(type: string | undefined, client: ClientEntry): Grant {
  if (type === undefined) throw oauthError('invalid_request', 'grant_type is missing.');
  const grant = grants.get(type);
  if (grant === undefined) throw oauthError('unsupported_grant_type', 'This grant type is not supported.');
  if (!client.document.grantTypes.includes(grant.type)) {
    throw oauthError('unauthorized_client', `The client is not registered for ${grant.type}.`);
  }
  return grant;
}

/** @throws ProblemError `invalid_dpop_proof`, also where the client's tokens must be bound and there is none */
async function proofOf(
  { proofs }: ProtocolDependencies,
  { store }: Organization,
  client: ClientEntry,
  { text, url }: { readonly text: string; readonly url: string },
): Promise<{ readonly jkt: string } | undefined> {
  if (text === '' && !optionOf(client.document, 'dpopBoundAccessTokens')) return undefined;
  const result =
    text === '' ? { fault: 'This client needs one.' } : await proofs.check(text, { store, method: 'POST', url });
  if ('fault' in result) throw oauthError('invalid_dpop_proof', result.fault);
  return result;
}
