import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { factsOf, type RequestFacts } from '../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
  singleAnswer,
  singleSchema,
} from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../kernel/organizations/index.ts';
import {
  BATCH_MAX,
  exactlyOne,
  existing,
  idSchema,
  notFound,
  numberInPath,
  numberSchema,
  removedReply,
  removedResponses,
  type Transaction,
  transact,
} from '../../kernel/transactions/index.ts';
import { memberEndpoint } from '../members/index.ts';
import { permissionSchema, permissionView } from '../permissions/index.ts';
import {
  findPermission,
  findRole,
  getPermission,
  roleAssignees,
  roleRecords,
  slugsOf,
  subjectsOf,
} from '../records/index.ts';
import type { RoleParts } from './parts.ts';
import { addPermissions, assignRole, type NamedPermissions, removePermission, unassignRole } from './role-changes.ts';
import { type RoleView, roleSchema, roleView } from './role-view.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Roles'];

const named = exactlyOne({
  permissionId: numberSchema.optional(),
  permissionIds: z.array(numberSchema).min(1).max(BATCH_MAX).optional(),
}) as z.ZodType<NamedPermissions>;

/** The permissions in a role. */
export function rolePermissions(parts: RoleParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    permissionList(parts, base, family),
    endpoint({
      method: 'POST',
      path: `${base}/admin/roles/{roleId}/permissions`,
      summary: 'Put permissions into a role',
      description: 'The caller must hold them. Those that are in it already are no error.',
      tags,
      access: { permission: 'permissions.grant' },
      body: named,
      responses: { 200: singleSchema(roleSchema) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { params, body } = call;
        const role = await changed(parts, call, (transaction) => addPermissions(transaction, params.roleId, body));
        return json(200, singleAnswer(role, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/roles/{roleId}/permissions/{permissionId}`,
      summary: 'Take a permission out of a role',
      tags,
      access: { permission: 'permissions.grant' },
      responses: removedResponses(roleSchema, family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { roleId, permissionId } = call.params;
        const number = numberInPath(permissionId);
        const role = await changed(parts, call, (transaction) => removePermission(transaction, roleId, number));
        return removedReply(role, family);
      },
    }),
  ];
}

function permissionList(parts: RoleParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/roles/{roleId}/permissions`,
    summary: 'The permissions in a role',
    tags,
    access: { permission: 'roles.read' },
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(permissionSchema(family)) },
    handler({ caller, params, query }) {
      const page = readPage(query, bounds);
      return answerIfMay(parts.engine, caller, 'roles.read', () => {
        const { store } = caller.organization;
        const role = roleRecords.get(store, params.roleId);
        if (role === undefined) throw notFound();
        const entries = slugsOf(store, roleAssignees(role.document.slug), 'permission').flatMap((slug) => {
          const entry = findPermission(store, slug);
          return entry === undefined ? [] : [entry];
        });
        const listed = mapListed(listAnswer(entries, page, family), (entry) => permissionView(store, entry, family));
        return json(200, listed);
      });
    },
  });
}

/** The users who have a role by themselves. */
export function roleUsers(parts: RoleParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    memberEndpoint(parts.heavy, {
      path: `${base}/admin/roles/{roleId}/users`,
      of: 'role',
      parameter: 'roleId',
      summary: 'The users who have a role',
      tags,
      family,
    }),
    endpoint({
      method: 'POST',
      path: `${base}/admin/roles/{roleId}/users`,
      summary: 'Give a role to a user',
      description: 'The caller must hold all that the role gives. Whoever has it already keeps it.',
      tags,
      access: { permission: 'roles.assign' },
      body: z.strictObject({ userId: idSchema }),
      responses: { 200: singleSchema(roleSchema) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { params, body } = call;
        const role = await changed(parts, call, (transaction) => assignRole(transaction, params.roleId, body.userId));
        return json(200, singleAnswer(role, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/roles/{roleId}/users/{userId}`,
      summary: 'Take a role from a user',
      tags,
      access: { permission: 'roles.assign' },
      responses: removedResponses(roleSchema, family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { roleId, userId } = call.params;
        const role = await changed(parts, call, (transaction) => unassignRole(transaction, roleId, userId));
        return removedReply(role, family);
      },
    }),
  ];
}

/** The role as it stands after a change of what is in it, or of who has it. */
async function changed(
  parts: RoleParts,
  call: RequestFacts & { readonly caller: Caller; readonly params: { readonly roleId: string } },
  run: (transaction: Transaction) => void,
): Promise<RoleView> {
  const { caller, params } = call;
  await transact(parts, caller, factsOf(call), run);
  const { store } = caller.organization;
  return parts.engine.read(() => roleView(store, existing(roleRecords.get(store, params.roleId))));
}

/** The roles that a permission is in: it stands here because permissions know nothing of roles. */
export function rolesOfPermission(parts: RoleParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/permissions/{permissionId}/roles`,
    summary: 'The roles that include a permission',
    tags: ['Permissions'],
    access: { permission: 'permissions.read' },
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(roleSchema) },
    handler({ caller, params, query }) {
      const page = readPage(query, bounds);
      const number = numberInPath(params.permissionId);
      return answerIfMay(parts.engine, caller, 'permissions.read', () => {
        const { store } = caller.organization;
        const permission = getPermission(store, number);
        if (permission === undefined) throw notFound();
        const roles = subjectsOf(store, 'permission', permission.document.slug, 'role').flatMap((slug) => {
          const entry = findRole(store, slug);
          return entry === undefined ? [] : [entry];
        });
        return json(
          200,
          mapListed(listAnswer(roles, page, family), (entry) => roleView(store, entry)),
        );
      });
    },
  });
}
