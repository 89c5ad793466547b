import { type Endpoint, endpointFor } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { renderScim, scimContentType } from '../errors/render-scim.ts';
import { listQuery, readListQuery, readSearch, searchBody } from '../lists/list-parameters.ts';
import { listTask } from '../lists/list-task.ts';
import { groupType } from '../schema/group-type.ts';
import { userType } from '../schema/user-type.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimBase } from './bases.ts';
import { requestOf } from './resource-endpoints.ts';
import { resourceSchema, scimErrors, scimTypes } from './scim-reply.ts';

const endpoint = endpointFor<Caller>();

const common = {
  tags: ['SCIM'],
  access: { scope: 'scim' },
  renderer: renderScim,
  errors: ['unavailable', ...scimErrors],
  responses: { 200: { description: 'A page of resources', contentType: scimContentType, schema: resourceSchema } },
} as const;

const types = [userType, groupType];

/** Users and groups in one list (RFC 7644, 3.4.2.1 and 3.4.3). */
export function searchEndpoints(dependencies: ScimDependencies, base: ScimBase): Endpoint[] {
  const { queryPool, baseUrl } = dependencies;
  return [
    endpoint({
      ...common,
      method: 'GET',
      path: base,
      summary: 'List users and groups (SCIM)',
      query: listQuery,
      handler: (call) => {
        const task = listTask(types, readListQuery(call.query), requestOf(call, baseUrl, base).base);
        return queryReply(queryPool, call.caller, task, scimContentType);
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: `${base}/.search`,
      summary: 'Search users and groups (SCIM)',
      body: searchBody,
      accepts: scimTypes,
      handler: (call) => {
        const task = listTask(types, readSearch(call.body), requestOf(call, baseUrl, base).base);
        return queryReply(queryPool, call.caller, task, scimContentType);
      },
    }),
  ];
}
