import { z } from 'zod';
import { deletedReply, deletedResponses, descriptionSchema, nameSchema, writableBody } from '../admin/index.ts';
import { factsOf } from '../audit/index.ts';
import { getRole } from '../directory/index.ts';
import { heavyReply } from '../heavy/index.ts';
import { type Endpoint, endpointFor, json, problem, queryBoolean } from '../http/index.ts';
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
import { answerIfMay, type Caller, type FamilyBase, slugSchema } from '../orgs/index.ts';
import type { RoleParts } from './parts.ts';
import { roleSorts } from './role-list.ts';
import { createRole, deleteRole, updateRole } from './role-service.ts';
import { roleSchema, roleView } from './role-view.ts';

const endpoint = endpointFor<Caller>();
export const roleTags = ['Roles'];

const newRole = z.strictObject({ name: nameSchema, slug: slugSchema, description: descriptionSchema.optional() });
const changedRole = writableBody({ name: nameSchema.optional(), description: descriptionSchema.optional() }, [
  'id',
  'slug',
  'permissions',
  'userCount',
  'isSystem',
  'createdAt',
  'updatedAt',
]);

/** `/admin/roles` and `/admin/roles/{roleId}` of one family. */
export function roleCrud(parts: RoleParts, base: FamilyBase, family: Family): Endpoint[] {
  return [listEndpoint(parts, base, family), createEndpoint(parts, base, family), ...oneRole(parts, base, family)];
}

function listEndpoint(parts: RoleParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/roles`,
    summary: 'List roles',
    description: 'Searched by name and slug.',
    tags: roleTags,
    access: { permission: 'roles.read' },
    query: z.strictObject({ ...listParameters(bounds, roleSorts), isSystem: queryBoolean.optional() }),
    responses: { 200: listSchema(roleSchema) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      const where = { isSystem: query.isSystem };
      return heavyReply(parts.heavy, caller, { kind: 'roles', query: read, family, where });
    },
  });
}

function createEndpoint(parts: RoleParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/roles`,
    summary: 'Create a role',
    description: 'The slug never changes. A role begins empty, also where one of this slug was deleted before.',
    tags: roleTags,
    access: { permission: 'roles.create' },
    body: newRole,
    responses: { 201: createdSchema(roleSchema) },
    errors: ['conflict', 'unavailable'],
    async handler(call) {
      const role = await createRole(parts, call.caller, factsOf(call), call.body);
      return json(201, createdAnswer(role, family, 'The role was created.'));
    },
  });
}

function oneRole(parts: RoleParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: `${base}/admin/roles/{roleId}`,
      summary: 'One role',
      tags: roleTags,
      access: { permission: 'roles.read' },
      responses: { 200: singleSchema(roleSchema) },
      handler({ caller, params }) {
        return answerIfMay(parts.engine, caller, 'roles.read', () => {
          const { store } = caller.organization;
          const entry = getRole(store, params.roleId);
          return entry === undefined ? problem('not_found') : json(200, singleAnswer(roleView(store, entry), family));
        });
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${base}/admin/roles/{roleId}`,
      summary: 'Change a role',
      description: 'What is not sent stays as it is.',
      tags: roleTags,
      access: { permission: 'roles.update' },
      body: changedRole,
      responses: { 200: singleSchema(roleSchema) },
      errors: ['unavailable'],
      async handler(call) {
        const role = await updateRole(parts, call.caller, factsOf(call), call.params.roleId, call.body);
        return json(200, singleAnswer(role, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/roles/{roleId}`,
      summary: 'Delete a role',
      description: 'It is taken from every user and group, with the same commit. System roles cannot be deleted.',
      tags: roleTags,
      access: { permission: 'roles.delete' },
      responses: deletedResponses(family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { roleId } = call.params;
        await deleteRole(parts, call.caller, factsOf(call), roleId);
        return deletedReply(roleId, family);
      },
    }),
  ];
}
