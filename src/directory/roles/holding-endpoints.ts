import { z } from 'zod';
import type { Endpoint } from '../../http/index.ts';
import { assign, revoke } from '../../kernel/assignments/index.ts';
import type { Family } from '../../kernel/lists/index.ts';
import type { FamilyBase } from '../../kernel/organizations/index.ts';
import { ItemEndpoints, type ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import {
  BATCH_MAX,
  exactlyOne,
  existing,
  idSchema,
  permissionReference,
  type Transaction,
} from '../../kernel/transactions/index.ts';
import { permissionIn, rolePermission, userIn, userInPath, userRole } from '../assignments/index.ts';
import { memberEndpoint } from '../members/index.ts';
import { permission, permissionSchema, permissionView } from '../permissions/index.ts';
import {
  findPermission,
  findRole,
  permissionNamed,
  type RoleEntry,
  roleAssignees,
  slugsOf,
  subjectsOf,
} from '../records/index.ts';
import { role, roleSchema, roleView } from './role.ts';

const named = exactlyOne({
  permissionId: permissionReference.optional(),
  permissionIds: z.array(permissionReference).min(1).max(BATCH_MAX).optional(),
});

/** The permissions in a role, and the users who have it by themselves. */
export function holdingEndpoints(
  dependencies: ResourceEndpointDependencies,
  base: FamilyBase,
  family: Family,
): Endpoint[] {
  const below = new ItemEndpoints(role, dependencies, base, family);
  return [
    below.list({
      path: 'permissions',
      summary: 'List the permissions in a role',
      description: 'Searched and sorted as the list of all permissions.',
      right: 'roles.read',
      schema: permissionSchema(family),
      definition: permission.list.definition,
      of: (store, { document: { slug } }) =>
        slugsOf(store, roleAssignees(slug), 'permission').flatMap((each) => findPermission(store, each) ?? []),
      view: (store, entry) => permissionView(store, entry, family),
    }),
    below.change({
      method: 'POST',
      path: 'permissions',
      summary: 'Add permissions to a role',
      description: 'The caller must hold them. Those that are in it already are no error.',
      right: 'permissions.grant',
      body: named,
      run: (transaction, role, { body }) => addPermissions(transaction, role, body),
    }),
    below.change({
      method: 'DELETE',
      path: 'permissions/{permissionId}',
      summary: 'Remove a permission from a role',
      right: 'permissions.grant',
      run(transaction, role, { params: { permissionId = '' } }) {
        const { slug } = existing(permissionNamed(transaction.store, permissionId)).document;
        revoke(transaction, rolePermission, slug, role);
      },
    }),
    memberEndpoint(dependencies.queryPool, {
      path: `${base}/admin/roles/{roleId}/users`,
      of: 'role',
      parameter: 'roleId',
      summary: 'List the users with a role',
      tags: role.tags,
      family,
    }),
    below.change({
      method: 'POST',
      path: 'users',
      summary: 'Assign a role to a user',
      description: 'The caller must hold all that the role gives. Whoever has it already keeps it.',
      right: 'roles.assign',
      body: z.strictObject({ userId: idSchema }),
      run: (transaction, role, { body: { userId } }) =>
        assign(transaction, userRole, role, [userIn(transaction.caller, userId, 'userId')]),
    }),
    below.change({
      method: 'DELETE',
      path: 'users/{userId}',
      summary: 'Remove a role from a user',
      right: 'roles.assign',
      run: (transaction, role, { params: { userId = '' } }) =>
        revoke(transaction, userRole, role.document.slug, userInPath(transaction.caller, userId)),
    }),
    // here, because permissions know nothing of roles
    new ItemEndpoints(permission, dependencies, base, family).list({
      path: 'roles',
      summary: 'List the roles with a permission',
      description: 'Searched and sorted as the list of all roles.',
      right: 'permissions.read',
      schema: roleSchema,
      definition: role.list.definition,
      of: (store, { document: { slug } }) =>
        subjectsOf(store, 'permission', slug, 'role').flatMap((each) => findRole(store, each) ?? []),
      view: roleView,
    }),
  ];
}

/** All or none. Those that are in it already are no error. */
function addPermissions(
  transaction: Transaction,
  role: RoleEntry,
  { permissionId, permissionIds = [] }: z.output<typeof named>,
): void {
  const { store } = transaction;
  const permissions =
    permissionId === undefined
      ? permissionIds.map((each, index) => permissionIn(store, each, `permissionIds[${index}]`))
      : [permissionIn(store, permissionId, 'permissionId')];
  const each = new Map(permissions.map((permission) => [permission.id, permission]));
  for (const permission of each.values()) assign(transaction, rolePermission, permission, [role]);
}
