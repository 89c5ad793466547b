import { getUser } from '../../../directory/records/index.ts';
import { type Endpoint, problem } from '../../../http/index.ts';
import { endpoint } from '../../../kernel/organizations/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import { parseProjection } from '../documents/projection.ts';
import { scimError } from '../errors/scim-errors.ts';
import { projectionQuery } from '../lists/list-parameters.ts';
import { userType } from '../schema/user-type.ts';
import type { ScimDependencies } from '../service/scim-request.ts';
import { userResource } from '../users/user-resource.ts';
import type { ScimBase } from './bases.ts';
import { requestOf } from './resource-endpoints.ts';
import { common, resourceReply, resourceResponse, unchangedReply, unchangedResponse } from './scim-reply.ts';

/** The user of the token (RFC 7644, 3.11). What people change of themselves, they change on their account pages. */
export function meEndpoints(dependencies: ScimDependencies, base: ScimBase): Endpoint[] {
  const atMe = { ...common, path: `${base}/Me` } as const;
  const others = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    endpoint({
      ...atMe,
      method,
      summary: 'Not supported (SCIM)',
      description: 'Not supported: users change their own data on their account pages.',
      responses: {},
      handler: () => scimError('notImplemented', 'Only GET is supported at /Me.').problem,
    }),
  );
  return [
    endpoint({
      ...atMe,
      method: 'GET',
      summary: 'Get the user of the token (SCIM)',
      description: 'The user of the access token. A SCIM token, or a token of a client, has none.',
      query: projectionQuery,
      responses: { 200: resourceResponse(userType), 304: unchangedResponse },
      handler(call) {
        const project = parseProjection(userType, call.query);
        const request = requestOf(call, dependencies.baseUrl, base);
        const { subject = '' } = call.caller;
        if (!subject.startsWith('user:')) return problem('not_found', 'The credential does not belong to a user.');
        const resource = dependencies.engine.read(() => {
          const { store } = call.caller.organization;
          return userResource(store, existing(getUser(store, subject.slice('user:'.length))), request.base);
        });
        return (
          unchangedReply(call.header('if-none-match'), resource) ?? resourceReply(200, resource, project(resource))
        );
      },
    }),
    ...others,
  ];
}
