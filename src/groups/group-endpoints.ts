import { z } from 'zod';
import { deletedReply, deletedResponses, descriptionSchema, nameSchema, writableBody } from '../admin/index.ts';
import { factsOf } from '../audit/index.ts';
import { getGroup } from '../directory/index.ts';
import { heavyReply } from '../heavy/index.ts';
import { type Endpoint, endpointFor, json, problem } from '../http/index.ts';
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
import { groupSorts } from './group-list.ts';
import { createGroup, deleteGroup, updateGroup } from './group-service.ts';
import { groupSchema, groupView } from './group-view.ts';
import type { GroupParts } from './parts.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Groups'];

const newGroup = z.strictObject({
  name: slugSchema.describe('The slug, which never changes'),
  displayName: nameSchema.describe('The slug where omitted').optional(),
  description: descriptionSchema.optional(),
});
const changedGroup = writableBody({ displayName: nameSchema.optional(), description: descriptionSchema.optional() }, [
  'id',
  'name',
  'memberCount',
  'roles',
  'createdAt',
  'updatedAt',
]);

/** `/admin/groups` and `/admin/groups/{groupId}` of one family. */
export function groupCrud(parts: GroupParts, base: FamilyBase, family: Family): Endpoint[] {
  return [listEndpoint(parts, base, family), createEndpoint(parts, base, family), ...oneGroup(parts, base, family)];
}

function listEndpoint(parts: GroupParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/groups`,
    summary: 'List groups',
    description: 'Searched by name and display name.',
    tags,
    access: { permission: 'groups.read' },
    query: z.strictObject(listParameters(bounds, groupSorts)),
    responses: { 200: listSchema(groupSchema) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      return heavyReply(parts.heavy, caller, { kind: 'groups', query: read, family });
    },
  });
}

function createEndpoint(parts: GroupParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/groups`,
    summary: 'Create a group',
    description: 'A group begins empty, also where one of this name was deleted before.',
    tags,
    access: { permission: 'groups.create' },
    body: newGroup,
    responses: { 201: createdSchema(groupSchema) },
    errors: ['conflict', 'unavailable'],
    async handler(call) {
      const group = await createGroup(parts, call.caller, factsOf(call), call.body);
      return json(201, createdAnswer(group, family, 'The group was created.'));
    },
  });
}

function oneGroup(parts: GroupParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: `${base}/admin/groups/{groupId}`,
      summary: 'One group',
      tags,
      access: { permission: 'groups.read' },
      responses: { 200: singleSchema(groupSchema) },
      handler({ caller, params }) {
        return answerIfMay(parts.engine, caller, 'groups.read', () => {
          const { store } = caller.organization;
          const entry = getGroup(store, params.groupId);
          return entry === undefined ? problem('not_found') : json(200, singleAnswer(groupView(store, entry), family));
        });
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${base}/admin/groups/{groupId}`,
      summary: 'Change a group',
      description: 'What is not sent stays as it is.',
      tags,
      access: { permission: 'groups.update' },
      body: changedGroup,
      responses: { 200: singleSchema(groupSchema) },
      errors: ['unavailable'],
      async handler(call) {
        const group = await updateGroup(parts, call.caller, factsOf(call), call.params.groupId, call.body);
        return json(200, singleAnswer(group, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/groups/{groupId}`,
      summary: 'Delete a group',
      description:
        'Its members stay as users. Their membership, and the roles they had by it, go with the same commit.',
      tags,
      access: { permission: 'groups.delete' },
      responses: deletedResponses(family),
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { groupId } = call.params;
        await deleteGroup(parts, call.caller, factsOf(call), groupId);
        return deletedReply(groupId, family);
      },
    }),
  ];
}
