import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, endpointFor, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { parseProjection } from '../documents/projection.ts';
import { renderScim, scimContentType } from '../errors/render-scim.ts';
import { groupQueryTask, isLargeGroup } from '../groups/group-query.ts';
import { projectionQuery } from '../lists/list-parameters.ts';
import type { ScimOperations } from '../service/operations.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { baseUrlOf, type ScimBase } from './bases.ts';
import {
  noContentResponse,
  resourceReply,
  resourceResponse,
  resourceSchema,
  scimErrors,
  scimTypes,
  unchangedReply,
} from './scim-reply.ts';

const endpoint = endpointFor<Caller>();
const tags = ['SCIM'];

/** A group of many members is sent whole. */
const BODY_MAX = 2 * 2 ** 20;

/** What the endpoints of one kind of resource, at one base, are made with. */
export interface ScimRoom {
  readonly dependencies: ScimDependencies;
  readonly operations: ScimOperations;
  readonly base: ScimBase;
}

const common = {
  tags,
  access: { scope: 'scim' },
  renderer: renderScim,
  errors: ['conflict', 'refused', 'unavailable', ...scimErrors],
} as const;

const withBody = { body: resourceSchema, accepts: scimTypes, bodyMax: BODY_MAX } as const;

/** A call as the operations want it: read at once, because the request behind it is used again. */
export function requestOf(
  call: Parameters<typeof factsOf>[0] & { readonly caller: Caller },
  baseUrl: string,
  base: ScimBase,
): ScimRequest {
  const { caller } = call;
  const ifMatch = call.header('if-match');
  return {
    caller,
    facts: factsOf(call),
    base: baseUrlOf(baseUrl, base, caller.organization.slug),
    ...(ifMatch === '' ? {} : { ifMatch }),
  };
}

/** Users, or groups, one by one, at one base. */
export function resourceEndpoints(room: ScimRoom): Endpoint[] {
  return [createEndpoint(room), readEndpoint(room), replaceEndpoint(room), patchEndpoint(room), deleteEndpoint(room)];
}

function createEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'POST',
    path: `${base}${type.endpoint}`,
    summary: `Create a ${type.name.toLowerCase()} (SCIM)`,
    query: projectionQuery,
    responses: { 201: resourceResponse },
    async handler(call) {
      const project = parseProjection(type, call.query);
      const changed = await operations.create(requestOf(call, dependencies.baseUrl, base), call.body);
      const resource = changed.read();
      return resourceReply(201, resource, project(resource));
    },
  });
}

function readEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    method: 'GET',
    path: `${base}${type.endpoint}/{id}`,
    summary: `One ${type.name.toLowerCase()} (SCIM)`,
    query: projectionQuery,
    responses: { 200: resourceResponse, 304: { description: 'The client has this version.' } },
    handler(call) {
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const { id } = call.params;
      const showsMembers = 'members' in project({ members: [{ value: '' }] });
      if (type.name === 'Group' && showsMembers && isLargeGroup(dependencies.engine, request, id)) {
        const task = groupQueryTask(request, id, call.query);
        return queryReply(dependencies.queryPool, call.caller, task, scimContentType);
      }
      const resource = dependencies.engine.read(() => operations.read(request, id));
      return unchangedReply(call.header('if-none-match'), resource) ?? resourceReply(200, resource, project(resource));
    },
  });
}

function replaceEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'PUT',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Replace a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Attributes that are left out are cleared, except `active`.',
    query: projectionQuery,
    responses: { 200: resourceResponse },
    async handler(call) {
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const changed = await operations.replace(request, call.params.id, call.body);
      const resource = changed.read();
      return resourceReply(200, resource, project(resource));
    },
  });
}

function patchEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'PATCH',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Change a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Operations that add, remove and replace (RFC 7644, 3.5.2). All of them take effect, or none.',
    query: projectionQuery,
    responses: { 200: resourceResponse, 204: noContentResponse },
    async handler(call) {
      const { attributes, excludedAttributes } = call.query;
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const changed = await operations.patch(request, call.params.id, call.body);
      const isAsked = attributes !== undefined || excludedAttributes !== undefined;
      if (!isShown(dependencies, request, type.name, isAsked)) return noContent();
      const resource = changed.read();
      return resourceReply(200, resource, project(resource));
    },
  });
}

/** Groups can be large, and whoever changes one seldom looks at the answer. */
export function isShown(
  { engine }: ScimDependencies,
  { caller }: ScimRequest,
  type: 'User' | 'Group',
  isAsked: boolean,
): boolean {
  const { patchResponse } = engine.read(() => readSettings(caller.organization.store)).scim;
  return patchResponse === 'auto' ? type === 'User' || isAsked : patchResponse === 'resource';
}

function deleteEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    method: 'DELETE',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Delete a ${type.name.toLowerCase()} (SCIM)`,
    description:
      type.name === 'User' ? 'Permanently. To deactivate a user, set `active` to false.' : 'The users in it are kept.',
    responses: { 204: noContentResponse },
    async handler(call) {
      await operations.remove(requestOf(call, dependencies.baseUrl, base), call.params.id);
      return noContent();
    },
  });
}
