import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent, problem } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller } from '../../../kernel/organizations/index.ts';
import { slugsOf, userSubject } from '../../records/index.ts';
import { giveOne, replaceGiven, takeOne } from '../changes/change-given.ts';
import { type GivenKind, givenKinds } from '../changes/given.ts';
import { findUser } from '../find-user.ts';
import { userSchema } from '../view/user-view.ts';
import { userTags as tags, type UserRoom, userReply } from './answers.ts';
import { givenBodies, slugsBody } from './bodies.ts';

const endpoint = endpointFor<Caller>();

/** Roles, groups and direct permissions of a user. */
export function givenEndpoints(room: UserRoom): Endpoint[] {
  const kinds: readonly GivenKind[] = Object.values(givenKinds);
  return [
    ...kinds.flatMap((kind) => [listEndpoint(room, kind), giveEndpoint(room, kind), takeEndpoint(room, kind)]),
    replaceEndpoint(room, givenKinds.roles, slugsBody.roles, (body) => body.roles),
    replaceEndpoint(room, givenKinds.groups, slugsBody.groups, (body) => body.groups),
  ];
}

function listEndpoint({ dependencies, base, family }: UserRoom, kind: GivenKind): Endpoint {
  const bounds = boundsOf(family);
  const view = kind.view(dependencies.views);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/${kind.plural}`,
    summary: `The ${kind.plural} that a user has by itself`,
    tags,
    access: { permission: 'users.read' },
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(view.schema(family)) },
    handler({ caller, params, query }) {
      const page = readPage(query, bounds);
      return answerIfMay(dependencies.engine, caller, 'users.read', () => {
        const { store } = caller.organization;
        const user = findUser(store, params.userId, family);
        if (user === undefined) return problem('not_found');
        const slugs = slugsOf(store, userSubject(user.id), kind.type).sort();
        const shown = kind.show(dependencies.views, store, slugs);
        return json(
          200,
          mapListed(listAnswer(shown, page, family), (show) => show(family)),
        );
      });
    },
  });
}

function giveEndpoint(room: UserRoom, kind: GivenKind): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/${kind.plural}`,
    summary: `Give a user a ${kind.type}`,
    description: 'Nothing that the caller does not hold can be given. What the user has already is given again.',
    tags,
    access: { permission: kind.right },
    body: givenBodies[kind.plural] as z.ZodType<Readonly<Record<string, string | number>>>,
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const target = { reference: params.userId, family };
      const user = await giveOne(dependencies, caller, factsOf(call), target, kind, String(body[kind.idName]));
      return userReply(room, caller, user);
    },
  });
}

function takeEndpoint(room: UserRoom, kind: GivenKind): Endpoint {
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
      const { [kind.idName]: givenId = '' } = params as Readonly<Record<string, string>>;
      const user = await takeOne(dependencies, caller, factsOf(call), target, kind, givenId);
      return family === 'org' ? userReply(room, caller, user) : noContent();
    },
  });
}

function replaceEndpoint<Body>(
  room: UserRoom,
  kind: GivenKind,
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
      const { caller, params, body: given } = call;
      const target = { reference: params.userId, family };
      const user = await replaceGiven(dependencies, caller, factsOf(call), target, kind, slugs(given));
      return userReply(room, caller, user);
    },
  });
}
