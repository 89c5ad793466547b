import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Caller, endpoint } from '../../../kernel/organizations/index.ts';
import { type Projection, parseProjection } from '../documents/projection.ts';
import { pooledIfLarge } from '../groups/large-groups.ts';
import { projectionQuery } from '../lists/list-parameters.ts';
import { groupType } from '../schema/group-type.ts';
import type { Changed, ScimOperations } from '../service/operations.ts';
import type { ScimDependencies, ScimRequest } from '../service/scim-request.ts';
import { baseUrlOf, type ScimBase } from './bases.ts';
import { describedResource, patchRequest } from './described-messages.ts';
import {
  common,
  noContentResponse,
  resourceReply,
  resourceResponse,
  scimTypes,
  unchangedReply,
  unchangedResponse,
} from './scim-reply.ts';

/** A group of many members is sent whole. */
const BODY_MAX = 2 * 2 ** 20;

/** What the endpoints of one kind of resource, at one base, are made with. */
export interface ScimRoom {
  readonly dependencies: ScimDependencies;
  readonly operations: ScimOperations;
  readonly base: ScimBase;
}

type ScimCall = Parameters<typeof factsOf>[0] & { readonly caller: Caller };

const ofOne = { ...common, errors: ['conflict', 'refused', ...common.errors] } as const;
const withBody = { ...ofOne, query: projectionQuery, accepts: scimTypes, bodyMax: BODY_MAX } as const;

/** A call as the operations want it: read at once, because the request behind it is used again. */
export function requestOf(call: ScimCall, baseUrl: string, base: ScimBase): ScimRequest {
  const { caller } = call;
  return {
    caller,
    facts: factsOf(call),
    base: baseUrlOf(baseUrl, base, caller.organization.slug),
    ifMatch: call.header('if-match') || undefined,
  };
}

/** Users, or groups, one by one, at one base. */
export function resourceEndpoints(room: ScimRoom): Endpoint[] {
  return [createEndpoint(room), readEndpoint(room), replaceEndpoint(room), patchEndpoint(room), deleteEndpoint(room)];
}

function createEndpoint(room: ScimRoom): Endpoint {
  const { operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...withBody,
    method: 'POST',
    path: `${base}${type.endpoint}`,
    summary: `Create a ${type.name.toLowerCase()} (SCIM)`,
    body: describedResource(type).request,
    responses: { 201: resourceResponse(type) },
    handler: (call) => change(room, call, 201, (request) => operations.create(request, call.body)),
  });
}

function readEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...ofOne,
    method: 'GET',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Get a ${type.name.toLowerCase()} (SCIM)`,
    query: projectionQuery,
    responses: { 200: resourceResponse(type), 304: unchangedResponse },
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
  const { operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...withBody,
    method: 'PUT',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Replace a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Attributes that are left out are cleared, except `active`.',
    body: describedResource(type).request,
    responses: { 200: resourceResponse(type) },
    handler: (call) => change(room, call, 200, (request) => operations.replace(request, call.params.id, call.body)),
  });
}

function patchEndpoint(room: ScimRoom): Endpoint {
  const { operations, base } = room;
  const { type } = operations;
  return endpoint({
    ...withBody,
    method: 'PATCH',
    path: `${base}${type.endpoint}/{id}`,
    summary: `Change a ${type.name.toLowerCase()} (SCIM)`,
    description: 'Operations that add, remove and replace (RFC 7644, 3.5.2). All of them take effect, or none.',
    body: patchRequest,
    responses: { 200: resourceResponse(type), 204: noContentResponse },
    handler: (call) => change(room, call, 'patched', (request) => operations.patch(request, call.params.id, call.body)),
  });
}

function deleteEndpoint({ dependencies, operations, base }: ScimRoom): Endpoint {
  const { type } = operations;
  return endpoint({
    ...ofOne,
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

/** Answers a change by the resource, of which a large group's members are read in the pool; a PATCH perhaps by nothing. */
async function change(
  { dependencies, operations: { type }, base }: ScimRoom,
  call: ScimCall & { readonly query: Projection },
  status: 200 | 201 | 'patched',
  run: (request: ScimRequest) => Promise<Changed>,
) {
  const { query } = call;
  const project = parseProjection(type, query);
  const request = requestOf(call, dependencies.baseUrl, base);
  const { id, read } = await run(request);
  if (status === 'patched' && !isShown(dependencies, request, type.name, query)) return noContent();
  const code = status === 'patched' ? 200 : status;
  const large = type === groupType ? await pooledIfLarge(dependencies, request, id, query) : undefined;
  if (large !== undefined) return resourceReply(code, large, large.text);
  const resource = read();
  return resourceReply(code, resource, project(resource));
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
