import { groupRecords } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, endpointFor, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { type Projection, parseProjection } from '../documents/projection.ts';
import { isId, type ScimResource } from '../documents/scim-resource.ts';
import { renderScim, scimContentType } from '../errors/render-scim.ts';
import type { GroupQueryTask } from '../groups/group-query.ts';
import { isLarge } from '../groups/group-resource.ts';
import { listQuery, projectionQuery, readListQuery, readSearch, searchBody } from '../lists/list-parameters.ts';
import { listTask } from '../lists/list-task.ts';
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

/** The endpoints of users, or of groups, at one base. */
export function resourceEndpoints(room: ScimRoom): Endpoint[] {
  return [
    listEndpoint(room),
    searchEndpoint(room),
    createEndpoint(room),
    readEndpoint(room),
    replaceEndpoint(room),
    patchEndpoint(room),
    deleteEndpoint(room),
  ];
}

const listResponse = { description: 'A page of resources', contentType: scimContentType, schema: resourceSchema };

function listEndpoint({ dependencies, operations: { type }, base }: ScimRoom): Endpoint {
  return endpoint({
    ...common,
    method: 'GET',
    path: `${base}${type.endpoint}`,
    summary: `List ${plural(type.name)} (SCIM)`,
    description: 'Filtered, sorted and paged as RFC 7644, 3.4.2 and RFC 9865 say.',
    query: listQuery,
    responses: { 200: listResponse },
    handler: (call) =>
      queryReply(
        dependencies.queryPool,
        call.caller,
        listTask([type], readListQuery(call.query), requestOf(call, dependencies.baseUrl, base).base),
        scimContentType,
      ),
  });
}

function searchEndpoint({ dependencies, operations: { type }, base }: ScimRoom): Endpoint {
  return endpoint({
    ...common,
    method: 'POST',
    path: `${base}${type.endpoint}/.search`,
    summary: `Search ${plural(type.name)} (SCIM)`,
    description: 'The same list, asked for in a body (RFC 7644, 3.4.3).',
    body: searchBody,
    accepts: scimTypes,
    responses: { 200: listResponse },
    handler: (call) =>
      queryReply(
        dependencies.queryPool,
        call.caller,
        listTask([type], readSearch(call.body), requestOf(call, dependencies.baseUrl, base).base),
        scimContentType,
      ),
  });
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
      const read = await operations.create(requestOf(call, dependencies.baseUrl, base), call.body);
      const resource = read();
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
      if (type.name === 'Group' && isReadElsewhere(dependencies, request, id, project)) {
        const task: GroupQueryTask = {
          kind: 'scim_group',
          id,
          base: request.base,
          projection: projectionOf(call.query),
        };
        return queryReply(dependencies.queryPool, call.caller, task, scimContentType);
      }
      const resource = dependencies.engine.read(() => operations.read(request, id));
      return unchangedReply(call.header('if-none-match'), resource) ?? resourceReply(200, resource, project(resource));
    },
  });
}

/** Whether a group has so many members that others would wait for it: then it is answered without a version. */
function isReadElsewhere(
  { engine }: ScimDependencies,
  { caller }: ScimRequest,
  id: string,
  project: (resource: ScimResource) => ScimResource,
): boolean {
  if (!('members' in project({ members: [{ value: '' }] }))) return false;
  const { store } = caller.organization;
  return engine.read(() => {
    const entry = isId(id) ? groupRecords.get(store, id) : undefined;
    return entry !== undefined && isLarge(store, entry);
  });
}

function projectionOf({ attributes, excludedAttributes }: Projection): Projection {
  return { attributes, excludedAttributes };
}

function replaceEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'PUT',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Replace a ${type.name.toLowerCase()} (SCIM)`,
    description: 'What is left out is cleared.',
    query: projectionQuery,
    responses: { 200: resourceResponse },
    async handler(call) {
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const read = await operations.replace(request, call.params.id, call.body);
      const resource = read();
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
    description: 'Operations that add, remove and replace (RFC 7644, 3.5.2): all of them, or none.',
    query: projectionQuery,
    responses: { 200: resourceResponse, 204: noContentResponse },
    async handler(call) {
      const { attributes, excludedAttributes } = call.query;
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const read = await operations.patch(request, call.params.id, call.body);
      const isAsked = attributes !== undefined || excludedAttributes !== undefined;
      if (!isShown(dependencies, request, type.name, isAsked)) return noContent();
      const resource = read();
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
      type.name === 'User' ? 'For good. To deactivate, set `active` to false.' : 'Its members stay as users.',
    responses: { 204: noContentResponse },
    async handler(call) {
      await operations.remove(requestOf(call, dependencies.baseUrl, base), call.params.id);
      return noContent();
    },
  });
}

function plural(name: 'User' | 'Group'): string {
  return `${name.toLowerCase()}s`;
}
