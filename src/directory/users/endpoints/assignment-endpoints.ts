import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent, problem } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { boundsOf, listSchema, readList, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller } from '../../../kernel/organizations/index.ts';
import { slugsOf, userSubject } from '../../records/index.ts';
import { type AssignableKind, assignableKinds } from '../changes/assignable-kinds.ts';
import { assignOne, replaceAssigned, revokeOne } from '../changes/change-assignments.ts';
import { findUser } from '../find-user.ts';
import { userSchema } from '../view/user-view.ts';
import { userTags as tags, type UserRoom, userReply } from './answers.ts';
import { assignmentBodies, slugsBody } from './bodies.ts';

const endpoint = endpointFor<Caller>();

/** Roles, groups and direct permissions of a user. */
export function assignmentEndpoints(room: UserRoom): Endpoint[] {
  const kinds: readonly AssignableKind[] = Object.values(assignableKinds);
  return [
    ...kinds.flatMap((kind) => [listEndpoint(room, kind), assignEndpoint(room, kind), revokeEndpoint(room, kind)]),
    replaceEndpoint(room, assignableKinds.roles, slugsBody.roles, (body) => body.roles),
    replaceEndpoint(room, assignableKinds.groups, slugsBody.groups, (body) => body.groups),
  ];
}

function listEndpoint({ dependencies, base, family }: UserRoom, kind: AssignableKind): Endpoint {
  const bounds = boundsOf(family);
  const { views } = dependencies;
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/${kind.plural}`,
    summary: `The ${kind.plural} that a user has by itself`,
    description: `Searched and sorted as the list of all ${kind.plural}.`,
    tags,
    access: { permission: 'users.read' },
    query: z.strictObject(kind.parameters(views, bounds)),
    responses: { 200: listSchema(kind.schema(views, family)) },
    handler({ caller, params, query }) {
      const read = readList(query, bounds);
      return answerIfMay(dependencies.engine, caller, 'users.read', () => {
        const { store } = caller.organization;
        const user = findUser(caller, params.userId, family);
        if (user === undefined) return problem('not_found');
        const slugs = slugsOf(store, userSubject(user.id), kind.type).sort();
        return json(200, kind.page(views, store, slugs, read, family));
      });
    },
  });
}

function assignEndpoint(room: UserRoom, kind: AssignableKind): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/${kind.plural}`,
    summary: `Give a user a ${kind.type}`,
    description: 'Nothing that the caller does not hold can be given. What the user has already is given again.',
    tags,
    access: { permission: kind.right },
    body: assignmentBodies[kind.plural] as z.ZodType<Readonly<Record<string, string | number>>>,
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const target = { reference: params.userId, family };
      const user = await assignOne(dependencies, caller, factsOf(call), target, kind, String(body[kind.idName]));
      return userReply(room, caller, user);
    },
  });
}

function revokeEndpoint(room: UserRoom, kind: AssignableKind): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/users/{userId}/${kind.plural}/{${kind.idName}}`,
    summary: `Take a ${kind.type} from a user`,
    tags,
    access: { permission: kind.right },
    responses:
      family === 'org'
        ? { 200: singleSchema(userSchema(family)) }
        : { 204: { description: 'The user does not have it any more.' } },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const target = { reference: params.userId, family };
      // which of the three names the path has, its type cannot say
      const { [kind.idName]: itemId = '' } = params as Readonly<Record<string, string>>;
      const user = await revokeOne(dependencies, caller, factsOf(call), target, kind, itemId);
      return family === 'org' ? userReply(room, caller, user) : noContent();
    },
  });
}

function replaceEndpoint<Body>(
  room: UserRoom,
  kind: AssignableKind,
  body: z.ZodType<Body>,
  slugs: (body: Body) => readonly string[],
): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'PUT',
    path: `${base}/admin/users/{userId}/${kind.plural}`,
    summary: `Replace all ${kind.plural} of a user`,
    description: 'An empty list takes all away.',
    tags,
    access: { permission: kind.right },
    body,
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const target = { reference: params.userId, family };
      const user = await replaceAssigned(dependencies, caller, factsOf(call), target, kind, slugs(body));
      return userReply(room, caller, user);
    },
  });
}
