import { z } from 'zod';
import type { Endpoint } from '../../http/index.ts';
import { assign, revoke } from '../../kernel/assignments/index.ts';
import type { Family } from '../../kernel/lists/index.ts';
import type { FamilyBase } from '../../kernel/organizations/index.ts';
import { ItemEndpoints, type ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import { BATCH_MAX, exactlyOne, existing, idSchema, refused } from '../../kernel/transactions/index.ts';
import { groupRole, roleIn, userGroup, userIn, userInPath } from '../assignments/index.ts';
import { memberEndpoint } from '../members/index.ts';
import { findRole, groupMembers, roleNamed, slugsOf } from '../records/index.ts';
import { role, roleSchema, roleView } from '../roles/index.ts';
import { group } from './group.ts';

const user = z.union([idSchema, z.strictObject({ id: idSchema })]);
const newMembers = exactlyOne({
  userId: idSchema.optional(),
  userIds: z.array(idSchema).min(1).max(BATCH_MAX).optional(),
  users: z
    .array(user)
    .min(1)
    .max(BATCH_MAX)
    .describe('Ids, numbers or email addresses of users, or objects with an `id`')
    .optional(),
});

/** The users in a group, and the roles that they inherit from it. */
export function memberEndpoints(
  dependencies: ResourceEndpointDependencies,
  base: FamilyBase,
  family: Family,
): Endpoint[] {
  const below = new ItemEndpoints(group, dependencies, base, family);
  return [
    memberEndpoint(dependencies.queryPool, {
      path: `${base}/admin/groups/{groupId}/members`,
      of: 'group',
      parameter: 'groupId',
      summary: 'List the users in a group',
      tags: group.tags,
      family,
    }),
    below.change({
      method: 'POST',
      path: 'members',
      summary: 'Add users to a group',
      description:
        'All of them, or none. The caller must hold all that members of the group are given. Whoever is in it already ' +
        'stays.',
      right: 'groups.members',
      body: newMembers,
      run(transaction, group, { body }) {
        const named = namedUsers(body).map(({ id, path }) => userIn(transaction.caller, id, path));
        const users = new Map(named.map((user) => [user.id, user]));
        assign(transaction, userGroup, group, [...users.values()]);
      },
    }),
    below.change({
      method: 'DELETE',
      path: 'members/{userId}',
      summary: 'Remove a user from a group',
      right: 'groups.members',
      run: (transaction, group, { params: { userId = '' } }) =>
        revoke(transaction, userGroup, group.document.name, userInPath(transaction.caller, userId)),
    }),
    below.list({
      path: 'roles',
      summary: 'List the roles of a group',
      description: 'Searched and sorted as the list of all roles.',
      right: 'groups.read',
      schema: roleSchema,
      definition: role.list.definition,
      of: (store, { document: { name } }) =>
        slugsOf(store, groupMembers(name), 'role').flatMap((slug) => findRole(store, slug) ?? []),
      view: roleView,
    }),
    below.change({
      method: 'POST',
      path: 'roles',
      summary: 'Assign a role to a group',
      description: 'Its members inherit it. The caller must hold all that the role gives. System roles are refused.',
      right: 'roles.assign',
      body: z.strictObject({ roleId: idSchema }),
      run(transaction, group, { body: { roleId } }) {
        const role = roleIn(transaction.store, roleId, 'roleId');
        const refusal = groupRole.refusal(role.document);
        if (refusal !== undefined) throw refused(refusal, 'roleId');
        assign(transaction, groupRole, role, [group]);
      },
    }),
    below.change({
      method: 'DELETE',
      path: 'roles/{roleId}',
      summary: 'Remove a role from a group',
      right: 'roles.assign',
      run(transaction, group, { params: { roleId = '' } }) {
        const { slug } = existing(roleNamed(transaction.store, roleId)).document;
        revoke(transaction, groupRole, slug, group);
      },
    }),
  ];
}

/** The users that a body names, and where. */
function namedUsers({ userId, userIds = [], users = [] }: z.output<typeof newMembers>) {
  if (userId !== undefined) return [{ id: userId, path: 'userId' }];
  return [
    ...userIds.map((id, index) => ({ id, path: `userIds[${index}]` })),
    ...users.map((each, index) =>
      typeof each === 'string' ? { id: each, path: `users[${index}]` } : { id: each.id, path: `users[${index}].id` },
    ),
  ];
}
