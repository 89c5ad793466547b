import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { checkedRequest } from '../authorize/checks/checked-request.ts';
import { answerTarget } from '../authorize/request/answer-target.ts';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import { RequestParameters } from '../authorize/request/parameters.ts';
import { PUSHED_MS, requestUri, storeRequest } from '../authorize/request/request-record.ts';
import { oauthError, oauthProblems } from '../errors/index.ts';
import { clientAtEndpoint, clientEndpoint, clientFields } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';

const endpoint = endpointFor<unknown>();

const pushed = z.strictObject({
  request_uri: z.string().describe('Good once, with the same client_id'),
  expires_in: z.int().describe('Seconds'),
});

/** `POST {org_api}/oauth/par` (RFC 9126). */
export function parEndpoint(dependencies: ProtocolDependencies): Endpoint {
  const { engine } = dependencies;
  return endpoint({
    ...clientEndpoint,
    path: '/orgs/{orgId}/api/v1/oauth/par',
    summary: 'Push an authorization request',
    description:
      'Takes the parameters of the authorization endpoint, from a client that proves who it is, and answers a ' +
      '`request_uri` that stands for them there.',
    cors: true,
    body: z.looseObject(clientFields),
    responses: { 201: pushed },
    errors: [
      oauthProblems.invalid_client,
      oauthProblems.invalid_dpop_proof,
      oauthProblems.invalid_scope,
      oauthProblems.invalid_target,
      oauthProblems.unauthorized_client,
      oauthProblems.unsupported_response_type,
      oauthProblems.request_not_supported,
      oauthProblems.registration_not_supported,
      'forbidden',
      'not_found',
      'unavailable',
    ],
    async handler(call) {
      const { body } = call;
      const proof = call.header('dpop');
      const { organization, address, client } = await clientAtEndpoint(dependencies, call, 'par', true);
      const { store } = organization;
      if (body.client_id !== undefined && body.client_id !== client.id) {
        throw oauthError('invalid_request', 'client_id belongs to another client.');
      }
      const parameters = new RequestParameters({ ...body, client_id: client.id });
      // RFC 9126, 2.1
      if (parameters.one('request_uri') !== undefined) {
        throw oauthError('invalid_request', 'A pushed request must not contain request_uri.');
      }
      const target = engine.read(() => answerTarget(store, parameters));
      const checked = await checkedRequest(dependencies, organization, target, parameters);
      const request = await boundRequest(dependencies, organization, checked, { proof, url: address });
      const id = await storeRequest(dependencies, store, { kind: 'pushed', request }, PUSHED_MS);
      return json(201, { request_uri: requestUri(id), expires_in: PUSHED_MS / 1000 });
    },
  });
}

/** A proof that comes with the request binds the code to its key (RFC 9449, 10.1). */
async function boundRequest(
  { proofs }: ProtocolDependencies,
  { store }: Organization,
  request: AuthorizationRequest,
  { proof, url }: { readonly proof: string; readonly url: string },
): Promise<AuthorizationRequest> {
  if (proof === '') return request;
  const proved = await proofs.check(proof, { store, method: 'POST', url });
  if ('fault' in proved) throw oauthError('invalid_dpop_proof', proved.fault);
  if (request.dpopJkt !== undefined && request.dpopJkt !== proved.jkt) {
    throw oauthError('invalid_request', 'dpop_jkt does not match the proof.');
  }
  return { ...request, dpopJkt: proved.jkt };
}
