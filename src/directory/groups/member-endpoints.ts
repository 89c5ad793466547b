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
  removedReply,
  removedResponses,
  type Transaction,
  transact,
} from '../../kernel/transactions/index.ts';
import { memberEndpoint } from '../members/index.ts';
import { findRole, groupMembers, groupRecords, slugsOf } from '../records/index.ts';
import { roleSchema, roleView } from '../roles/index.ts';
import { addMembers, addRole, type NamedUser, removeMember, removeRole } from './group-changes.ts';
import { type GroupView, groupSchema, groupView } from './group-view.ts';
import type { GroupParts } from './parts.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Groups'];

const user = z.union([idSchema, z.strictObject({ id: idSchema })]);
const newMembers = exactlyOne({
  userId: idSchema.optional(),
  userIds: z.array(idSchema).min(1).max(BATCH_MAX).optional(),
  users: z.array(user).min(1).max(BATCH_MAX).describe('Ids, or objects with an `id`').optional(),
});

/** The users in a group. */
export function groupMemberEndpoints(parts: GroupParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    memberEndpoint(parts.heavy, {
      path: `${base}/admin/groups/{groupId}/members`,
      of: 'group',
      parameter: 'groupId',
      summary: 'The users in a group',
      tags,
      family,
    }),
    endpoint({
      method: 'POST',
      path: `${base}/admin/groups/{groupId}/members`,
      summary: 'Put users into a group',
      description:
        'All of them, or none. The caller must hold all that members of the group are given. Whoever is in it already ' +
        'stays.',
      tags,
      access: { permission: 'groups.members' },
      body: newMembers,
      responses: { 200: singleSchema(groupSchema) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const named = namedUsers(call.body);
        const { groupId } = call.params;
        const group = await changed(parts, call, (transaction) => addMembers(transaction, groupId, named));
        return json(200, singleAnswer(group, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/groups/{groupId}/members/{userId}`,
      summary: 'Take a user out of a group',
      tags,
      access: { permission: 'groups.members' },
      responses: removedResponses(groupSchema, family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { groupId, userId } = call.params;
        const group = await changed(parts, call, (transaction) => removeMember(transaction, groupId, userId));
        return removedReply(group, family);
      },
    }),
  ];
}

function namedUsers({ userId, userIds = [], users = [] }: z.output<typeof newMembers>): NamedUser[] {
  if (userId !== undefined) return [{ id: userId, path: 'userId' }];
  return [
    ...userIds.map((id, place) => ({ id, path: `userIds[${place}]` })),
    ...users.map((each, place) =>
      typeof each === 'string' ? { id: each, path: `users[${place}]` } : { id: each.id, path: `users[${place}].id` },
    ),
  ];
}

/** The roles that the members of a group inherit. */
export function groupRoleEndpoints(parts: GroupParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    roleList(parts, base, family),
    endpoint({
      method: 'POST',
      path: `${base}/admin/groups/{groupId}/roles`,
      summary: 'Give a role to a group',
      description: 'Its members inherit it. The caller must hold all that the role gives. System roles are refused.',
      tags,
      access: { permission: 'roles.assign' },
      body: z.strictObject({ roleId: idSchema }),
      responses: { 200: singleSchema(groupSchema) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { params, body } = call;
        const group = await changed(parts, call, (transaction) => addRole(transaction, params.groupId, body.roleId));
        return json(200, singleAnswer(group, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/groups/{groupId}/roles/{roleId}`,
      summary: 'Take a role from a group',
      tags,
      access: { permission: 'roles.assign' },
      responses: removedResponses(groupSchema, family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { groupId, roleId } = call.params;
        const group = await changed(parts, call, (transaction) => removeRole(transaction, groupId, roleId));
        return removedReply(group, family);
      },
    }),
  ];
}

/** The group as it stands after a change of who is in it, or of its roles. */
async function changed(
  parts: GroupParts,
  call: RequestFacts & { readonly caller: Caller; readonly params: { readonly groupId: string } },
  run: (transaction: Transaction) => void,
): Promise<GroupView> {
  const { caller, params } = call;
  await transact(parts, caller, factsOf(call), run);
  const { store } = caller.organization;
  return parts.engine.read(() => groupView(store, existing(groupRecords.get(store, params.groupId))));
}

function roleList(parts: GroupParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/groups/{groupId}/roles`,
    summary: 'The roles of a group',
    tags,
    access: { permission: 'groups.read' },
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(roleSchema) },
    handler({ caller, params, query }) {
      const page = readPage(query, bounds);
      return answerIfMay(parts.engine, caller, 'groups.read', () => {
        const { store } = caller.organization;
        const group = groupRecords.get(store, params.groupId);
        if (group === undefined) throw notFound();
        const roles = slugsOf(store, groupMembers(group.document.name), 'role').flatMap((slug) => {
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
