import type { Endpoint } from '../../../http/index.ts';
import { type Caller, endpoint } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { scimContentType } from '../errors/scim-errors.ts';
import { listQuery, readListQuery, readSearch, type ScimListQuery, searchBody } from '../lists/list-parameters.ts';
import { listTask } from '../lists/list-task.ts';
import { groupType } from '../schema/group-type.ts';
import { userType } from '../schema/user-type.ts';
import type { ScimDependencies } from '../service/scim-request.ts';
import { baseUrlOf, type ScimBase } from './bases.ts';
import { describedResource, everyResourceList } from './described-messages.ts';
import { common, scimTypes } from './scim-reply.ts';

const lists = [
  { path: '', types: [userType, groupType], what: 'users and groups' },
  { path: '/Users', types: [userType], what: 'users' },
  { path: '/Groups', types: [groupType], what: 'groups' },
] as const;

/** Lists of each type and of both, asked for in the URL or in a body (RFC 7644, 3.4.2 and 3.4.3). */
export function listEndpoints({ queryPool, baseUrl }: ScimDependencies, base: ScimBase): Endpoint[] {
  return lists.flatMap(({ path, types, what }) => {
    const schema = types.length === 1 ? describedResource(types[0]).list : everyResourceList;
    const responses = { 200: { description: 'A page of resources', contentType: scimContentType, schema } };
    const answer = (caller: Caller, query: ScimListQuery) => {
      const task = listTask(types, query, baseUrlOf(baseUrl, base, caller.organization.slug));
      return queryReply(queryPool, caller, task, scimContentType);
    };
    return [
      endpoint({
        ...common,
        responses,
        method: 'GET',
        path: `${base}${path}`,
        summary: `List ${what} (SCIM)`,
        description: 'Filters, sorting and pages by index: RFC 7644, 3.4.2. Pages by cursor: RFC 9865.',
        query: listQuery,
        handler: (call) => answer(call.caller, readListQuery(call.query)),
      }),
      endpoint({
        ...common,
        responses,
        method: 'POST',
        path: `${base}${path}/.search`,
        summary: `Search ${what} (SCIM)`,
        description: 'The same list, with the parameters in the body (RFC 7644, 3.4.3).',
        body: searchBody,
        accepts: scimTypes,
        handler: (call) => answer(call.caller, readSearch(call.body)),
      }),
    ];
  });
}
