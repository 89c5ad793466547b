import { z } from 'zod';
import { labelSchema, numberInPath } from '../admin/index.ts';
import { factsOf } from '../audit/index.ts';
import { getPermission } from '../directory/index.ts';
import { heavyReply } from '../heavy/index.ts';
import { type Endpoint, endpointFor, json, noContent, problem, queryBoolean } from '../http/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  listParameters,
  listSchema,
  readList,
  singleAnswer,
  singleSchema,
} from '../lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../orgs/index.ts';
import type { PermissionParts } from './parts.ts';
import { changedPermissionBody, newPermissionBody } from './permission-bodies.ts';
import { permissionSorts } from './permission-list.ts';
import { createPermission, deletePermission, updatePermission } from './permission-service.ts';
import { permissionSchema, permissionView } from './permission-view.ts';
import { usageOf, usageSchema } from './usage.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Permissions'];

/** `/admin/permissions`: one resource in two shapes. */
export function permissionEndpoints(parts: PermissionParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(parts, base, family),
    createEndpoint(parts, base, family),
    getEndpoint(parts, base, family),
    ...changeEndpoints(parts, base, family),
    usageEndpoint(parts, base, family),
  ]);
}

function listEndpoint(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/permissions`,
    summary: 'List permissions',
    description: 'Searched by name, slug and description.',
    tags,
    access: { permission: 'permissions.read' },
    query: z.strictObject({
      ...listParameters(bounds, permissionSorts),
      category: labelSchema.optional(),
      isSystem: queryBoolean.optional(),
    }),
    responses: { 200: listSchema(permissionSchema(family)) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      const { category, isSystem } = query;
      const where = { category, isSystem };
      return heavyReply(parts.heavy, caller, { kind: 'permission_records', query: read, family, where });
    },
  });
}

function createEndpoint(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/permissions`,
    summary: 'Create a permission',
    description: 'The slug never changes, and is never that of a system permission. Nobody has it at first.',
    tags,
    access: { permission: 'permissions.create' },
    body: newPermissionBody(family),
    responses: { 201: createdSchema(permissionSchema(family)) },
    errors: ['conflict', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const entry = await createPermission(parts, caller, factsOf(call), body);
      const view = parts.engine.read(() => permissionView(caller.organization.store, entry, family));
      return json(201, createdAnswer(view, family, 'The permission was created.'));
    },
  });
}

function getEndpoint(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/permissions/{permissionId}`,
    summary: 'One permission',
    tags,
    access: { permission: 'permissions.read' },
    responses: { 200: singleSchema(permissionSchema(family)) },
    handler({ caller, params }) {
      const number = numberInPath(params.permissionId);
      return answerIfMay(parts.engine, caller, 'permissions.read', () => {
        const { store } = caller.organization;
        const entry = getPermission(store, number);
        if (entry === undefined) return problem('not_found');
        return json(200, singleAnswer(permissionView(store, entry, family), family));
      });
    },
  });
}

/** The org family changes with PATCH and the tenant family with PUT; both keep what is not sent. */
function changeEndpoints(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: family === 'org' ? 'PATCH' : 'PUT',
      path: `${base}/admin/permissions/{permissionId}`,
      summary: 'Change a permission',
      description: 'What is not sent stays as it is. System permissions cannot be changed.',
      tags,
      access: { permission: 'permissions.update' },
      body: changedPermissionBody(family),
      responses: { 200: singleSchema(permissionSchema(family)) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { caller, body, params } = call;
        const entry = await updatePermission(parts, caller, factsOf(call), numberInPath(params.permissionId), body);
        const view = parts.engine.read(() => permissionView(caller.organization.store, entry, family));
        return json(200, singleAnswer(view, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/permissions/{permissionId}`,
      summary: 'Delete a permission',
      description: 'It is taken from every role and user, with the same commit. System permissions cannot be deleted.',
      tags,
      access: { permission: 'permissions.delete' },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        await deletePermission(parts, call.caller, factsOf(call), numberInPath(call.params.permissionId));
        return noContent();
      },
    }),
  ];
}

function usageEndpoint(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/permissions/{permissionId}/usage`,
    summary: 'Roles and users that have a permission',
    description: 'The counts are of all; the first hundred of each are named.',
    tags,
    access: { permission: 'permissions.read' },
    responses: { 200: singleSchema(usageSchema) },
    handler({ caller, params }) {
      const number = numberInPath(params.permissionId);
      return answerIfMay(parts.engine, caller, 'permissions.read', () => {
        const { store } = caller.organization;
        const entry = getPermission(store, number);
        if (entry === undefined) return problem('not_found');
        return json(200, singleAnswer(usageOf(store, entry.document.slug, caller.may('users.read')), family));
      });
    },
  });
}
