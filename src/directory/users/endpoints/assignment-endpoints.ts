import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { boundsOf, listSchema, readList } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint } from '../../../kernel/organizations/index.ts';
import { slugsOf, userSubject } from '../../records/index.ts';
import { type AssignableKind, assignableKinds } from '../changes/assignable-kinds.ts';
import { assigning, changeAssigned, exactly, revoking } from '../changes/change-assignments.ts';
import { requireUser } from '../find-user.ts';
import { assignmentBodies, slugsBody } from './bodies.ts';
import { userTags as tags, type UserRoom, userChange } from './user-endpoint.ts';

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
        const user = requireUser(caller, params.userId, family);
        const slugs = slugsOf(store, userSubject(user.id), kind.type).sort();
        return json(200, kind.page(views, store, slugs, read, family));
      });
    },
  });
}

function assignEndpoint(room: UserRoom, kind: AssignableKind): Endpoint {
  return userChange(room, {
    method: 'POST',
    path: `/${kind.plural}`,
    summary: `Give a user a ${kind.type}`,
    description: 'Nothing that the caller does not hold can be given. What the user has already is given again.',
    right: kind.right,
    body: assignmentBodies[kind.plural] as z.ZodType<Readonly<Record<string, string | number>>>,
    run: (call) => changeAssigned(call, kind, assigning(String(call.body[kind.idName]))),
  });
}

function revokeEndpoint(room: UserRoom, kind: AssignableKind): Endpoint {
  return userChange(room, {
    method: 'DELETE',
    path: `/${kind.plural}/{${kind.idName}}`,
    summary: `Take a ${kind.type} from a user`,
    right: kind.right,
    gone: 'The user does not have it any more.',
    run: (call) => changeAssigned(call, kind, revoking(call.params[kind.idName] ?? '')),
  });
}

function replaceEndpoint<Body>(
  room: UserRoom,
  kind: AssignableKind,
  body: z.ZodType<Body>,
  slugs: (body: Body) => readonly string[],
): Endpoint {
  return userChange(room, {
    method: 'PUT',
    path: `/${kind.plural}`,
    summary: `Replace all ${kind.plural} of a user`,
    description: 'An empty list takes all away.',
    right: kind.right,
    body,
    run: (call) => changeAssigned(call, kind, exactly(slugs(call.body))),
  });
}
