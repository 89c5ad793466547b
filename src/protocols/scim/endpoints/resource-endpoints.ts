import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, endpointFor, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { type Projection, parseProjection } from '../documents/projection.ts';
import { renderScim } from '../errors/scim-errors.ts';
import { pooledIfLarge } from '../groups/large-groups.ts';
import { projectionQuery } from '../lists/list-parameters.ts';
import { groupType } from '../schema/group-type.ts';
import type { Changed, ScimOperations } from '../service/operations.ts';
import type { ScimDependencies, ScimRequest } from '../service/scim-request.ts';
import { baseUrlOf, type ScimBase } from './bases.ts';
import { describedResource, patchRequest } from './described-messages.ts';
import {
  noContentResponse,
  resourceReply,
  resourceResponse,
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

const withBody = { accepts: scimTypes, bodyMax: BODY_MAX } as const;

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

function createEndpoint(room: ScimRoom): Endpoint {
  const { dependencies, operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'POST',
    path: `${base}${type.endpoint}`,
    summary: `Create a ${type.name.toLowerCase()} (SCIM)`,
    query: projectionQuery,
    body: describedResource(type).request,
    responses: { 201: resourceResponse(type) },
    async handler(call) {
      parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const changed = await operations.create(request, call.body);
      return changedReply(201, room, request, changed, call.query);
    },
  });
}

function readEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...common,
    method: 'GET',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Get a ${type.name.toLowerCase()} (SCIM)`,
    query: projectionQuery,
    responses: { 200: resourceResponse(type), 304: { description: 'The client has this version.' } },
    async handler(call) {
      const project = parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const { id } = call.params;
      const ifNoneMatch = call.header('if-none-match');
      const large = type === groupType ? await pooledIfLarge(dependencies, request, id, call.query) : undefined;
      if (large !== undefined) return unchangedReply(ifNoneMatch, large) ?? resourceReply(200, large, large.text);
      const resource = dependencies.engine.read(() => operations.read(request, id));
      return unchangedReply(ifNoneMatch, resource) ?? resourceReply(200, resource, project(resource));
    },
  });
}

function replaceEndpoint(room: ScimRoom): Endpoint {
  const { dependencies, operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'PUT',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Replace a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Attributes that are left out are cleared, except `active`.',
    query: projectionQuery,
    body: describedResource(type).request,
    responses: { 200: resourceResponse(type) },
    async handler(call) {
      parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const changed = await operations.replace(request, call.params.id, call.body);
      return changedReply(200, room, request, changed, call.query);
    },
  });
}

function patchEndpoint(room: ScimRoom): Endpoint {
  const { dependencies, operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...common,
    ...withBody,
    method: 'PATCH',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Change a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Operations that add, remove and replace (RFC 7644, 3.5.2). All of them take effect, or none.',
    query: projectionQuery,
    body: patchRequest,
    responses: { 200: resourceResponse(type), 204: noContentResponse },
    async handler(call) {
      parseProjection(type, call.query);
      const request = requestOf(call, dependencies.baseUrl, base);
      const changed = await operations.patch(request, call.params.id, call.body);
      if (!isShown(dependencies, request, type.name, call.query)) return noContent();
      return changedReply(200, room, request, changed, call.query);
    },
  });
}

/**
 * Whether a change is answered by the resource. Groups can be large, and whoever changes one seldom looks at the answer.
 * Where attributes are named, RFC 7644, 3.5.2 leaves no choice.
 */
export function isShown(
  { engine }: ScimDependencies,
  { caller }: ScimRequest,
  type: 'User' | 'Group',
  { attributes, excludedAttributes }: Projection,
): boolean {
  if (attributes !== undefined) return true;
  const { patchResponse } = engine.read(() => readSettings(caller.organization.store)).scim;
  return patchResponse === 'auto' ? type === 'User' || excludedAttributes !== undefined : patchResponse === 'resource';
}

/** A resource after its change. The members of a large group are read in the pool. */
async function changedReply(
  status: 200 | 201,
  { dependencies, operations: { type } }: ScimRoom,
  request: ScimRequest,
  changed: Changed,
  projection: Projection,
) {
  const large = type === groupType ? await pooledIfLarge(dependencies, request, changed.id, projection) : undefined;
  if (large !== undefined) return resourceReply(status, large, large.text);
  const resource = changed.read();
  return resourceReply(status, resource, parseProjection(type, projection)(resource));
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
