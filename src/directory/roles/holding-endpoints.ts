import { z } from 'zod';
import type { Endpoint } from '../../http/index.ts';
import type { Family } from '../../kernel/lists/index.ts';
import type { FamilyBase } from '../../kernel/organizations/index.ts';
import { ItemEndpoints, type ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import { BATCH_MAX, exactlyOne, idSchema, permissionReference } from '../../kernel/transactions/index.ts';
import { memberEndpoint } from '../members/index.ts';
import { permission, permissionSchema, permissionView } from '../permissions/index.ts';
import { findPermission, findRole, roleAssignees, slugsOf, subjectsOf } from '../records/index.ts';
import { role } from './role.ts';
import { addPermissions, assignRole, type NamedPermissions, removePermission, unassignRole } from './role-changes.ts';
import { roleSchema, roleView } from './role-view.ts';

const named = exactlyOne({
  permissionId: permissionReference.optional(),
  permissionIds: z.array(permissionReference).min(1).max(BATCH_MAX).optional(),
}) as z.ZodType<NamedPermissions>;

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
      summary: 'The permissions in a role',
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
      summary: 'Put permissions into a role',
      description: 'The caller must hold them. Those that are in it already are no error.',
      right: 'permissions.grant',
      body: named,
      run: (transaction, id, { body }) => addPermissions(transaction, id, body),
    }),
    below.change({
      method: 'DELETE',
      path: 'permissions/{permissionId}',
      summary: 'Take a permission out of a role',
      right: 'permissions.grant',
      run: (transaction, id, { params: { permissionId = '' } }) => removePermission(transaction, id, permissionId),
    }),
    memberEndpoint(dependencies.queryPool, {
      path: `${base}/admin/roles/{roleId}/users`,
      of: 'role',
      parameter: 'roleId',
      summary: 'The users who have a role',
      tags: role.tags,
      family,
    }),
    below.change({
      method: 'POST',
      path: 'users',
      summary: 'Give a role to a user',
      description: 'The caller must hold all that the role gives. Whoever has it already keeps it.',
      right: 'roles.assign',
      body: z.strictObject({ userId: idSchema }),
      run: (transaction, id, { body }) => assignRole(transaction, id, body.userId),
    }),
    below.change({
      method: 'DELETE',
      path: 'users/{userId}',
      summary: 'Take a role from a user',
      right: 'roles.assign',
      run: (transaction, id, { params: { userId = '' } }) => unassignRole(transaction, id, userId),
    }),
    // here, because permissions know nothing of roles
    new ItemEndpoints(permission, dependencies, base, family).list({
      path: 'roles',
      summary: 'The roles that include a permission',
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
