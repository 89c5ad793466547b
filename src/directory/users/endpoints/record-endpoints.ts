import { z } from 'zod';
import { type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  adminBounds,
  createdAnswer,
  createdSchema,
  readList,
  singleAnswer,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { writableBody } from '../../../kernel/transactions/index.ts';
import { createUser } from '../changes/create-user.ts';
import { deleteUser } from '../changes/delete-user.ts';
import { updateUser } from '../changes/update-user.ts';
import { transactOnUser } from '../changes/user-request.ts';
import { requireUser } from '../find-user.ts';
import { type UserListTask, userPageSchema } from '../view/user-list.ts';
import { userSchema, userView } from '../view/user-view.ts';
import { newUserBody, readOnlyFields, userChangesShape, usersQuery } from './bodies.ts';
import { shownUser, userTags as tags, type UserRoom, userChange } from './user-endpoint.ts';

export function recordEndpoints(room: UserRoom): Endpoint[] {
  return [
    listEndpoint(room),
    createEndpoint(room),
    getEndpoint(room),
    changeEndpoint(room, 'PUT'),
    changeEndpoint(room, 'PATCH'),
    deleteEndpoint(room),
  ];
}

function listEndpoint({ dependencies, base, family }: UserRoom): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users`,
    summary: 'List users',
    description: 'A search looks through email, name and username.',
    tags,
    access: { permission: 'users.read' },
    query: usersQuery,
    responses: { 200: userPageSchema(family) },
    errors: ['unavailable'],
    handler({ caller, query }) {
      const list = readList(query, adminBounds);
      const { isActive, emailVerified, mfaEnabled, role, group, blocked, isBlocked = blocked } = query;
      const asked = { ...list, isActive, isBlocked, emailVerified, mfaEnabled, role, group };
      return queryReply<UserListTask>(dependencies.queryPool, caller, { kind: 'users', family, query: asked });
    },
  });
}

function createEndpoint({ dependencies, base, family }: UserRoom): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users`,
    summary: 'Create a user',
    description:
      'Without a password the user has to set one at the first login. Roles and groups need `roles.assign` and ' +
      '`groups.members`, and what they give must be held by the caller; a verified address needs `users.verify`.',
    tags,
    access: { permission: 'users.create' },
    body: newUserBody,
    responses: { 201: createdSchema(userSchema(family)) },
    errors: ['conflict', 'refused', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const id = await createUser(dependencies, caller, factsOf(call), body);
      const view = shownUser(dependencies, caller, id, family);
      return json(201, createdAnswer(view, family, 'The user was created.'));
    },
  });
}

function getEndpoint({ dependencies, base, family }: UserRoom): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}`,
    summary: 'Get a user',
    description: 'By id, number or email address, as wherever a path or body names a user.',
    tags,
    access: { permission: 'users.read' },
    responses: { 200: singleSchema(userSchema(family)) },
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'users.read', () => {
        const { store } = caller.organization;
        const user = requireUser(caller, params.userId, family);
        return json(200, singleAnswer(userView(store, user, family), family));
      });
    },
  });
}

function changeEndpoint(room: UserRoom, method: 'PUT' | 'PATCH'): Endpoint {
  return userChange(room, {
    method,
    path: '',
    summary: 'Change the profile of a user',
    description:
      'Only what is given changes; `null` clears a field, and `metadata` is replaced as a whole. `isActive` also needs ' +
      '`users.block`, and `emailVerified` `users.verify`; a new email address is not verified.',
    right: 'users.update',
    body: writableBody(userChangesShape, readOnlyFields) as z.ZodType<z.output<typeof changes>>,
    errors: ['conflict', 'refused', 'unavailable'],
    run: (call) =>
      transactOnUser(call, (transaction, user) => {
        updateUser(transaction, user, call.body);
        return user.id;
      }),
  });
}

const changes = z.strictObject(userChangesShape);

function deleteEndpoint({ dependencies, base, family }: UserRoom): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/users/{userId}`,
    summary: 'Delete a user',
    description: 'For good, with everything that belongs to the user and every tuple that names it.',
    tags,
    access: { permission: 'users.delete' },
    responses: { 204: { description: 'It is deleted.' } },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const request = { dependencies, caller, facts: factsOf(call), reference: params.userId, family };
      await transactOnUser(request, deleteUser);
      return noContent();
    },
  });
}
