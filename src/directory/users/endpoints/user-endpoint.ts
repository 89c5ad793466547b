import type { z } from 'zod';
import { type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { type Caller, endpoint, type FamilyBase } from '../../../kernel/organizations/index.ts';
import type { Operation } from '../../../kernel/resources/index.ts';
import { afterCommit } from '../../../kernel/transactions/index.ts';
import { userRecords } from '../../records/index.ts';
import type { UserRequest } from '../changes/user-request.ts';
import type { UserDependencies } from '../dependencies.ts';
import { userSchema, userView } from '../view/user-view.ts';

export const userTags = ['Users'];

/** What every endpoint here works with. */
export interface UserRoom {
  readonly dependencies: UserDependencies;
  readonly base: FamilyBase;
  readonly family: Family;
}

interface UserCall<Body> extends UserRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Of its errors `refused` and `unavailable`, where it says none. */
interface UserChange<Body> extends Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the user: `/password`. */
  readonly path: string;
  readonly body?: z.ZodType<Body>;
  readonly rate?: 'expensive';
  /** Where the tenant family answers 204: what that says. */
  readonly gone?: string;
  /** Answers the id of the user. */
  readonly run: (call: UserCall<Body>) => Promise<string>;
}

/** Changes the user of the path, and answers the user as the commit has left it. */
export function userChange<Body>(
  { dependencies, base, family }: UserRoom,
  { path, right, body: schema, errors = ['refused', 'unavailable'], gone, run, ...spec }: UserChange<Body>,
): Endpoint {
  const isShown = gone === undefined || family === 'org';
  return endpoint({
    ...spec,
    path: `${base}/admin/users/{userId}${path}` as string,
    tags: userTags,
    access: { permission: right },
    ...(schema === undefined ? {} : { body: schema }),
    responses: isShown ? { 200: singleSchema(userSchema(family)) } : { 204: { description: gone } },
    errors,
    async handler(call) {
      const { caller } = call;
      const params = call.params as UserCall<Body>['params'];
      const { userId: reference = '' } = params;
      // without a body there is none to be read
      const body = call.body as Body;
      const id = await run({ dependencies, caller, facts: factsOf(call), reference, family, params, body });
      return isShown ? json(200, singleAnswer(shownUser(dependencies, caller, id, family), family)) : noContent();
    },
  });
}

/** The user as it stands after a commit. */
export function shownUser(dependencies: UserDependencies, caller: Caller, id: string, family: Family) {
  const { store } = caller.organization;
  return afterCommit(dependencies, userRecords, store, id, (user) => userView(store, user, family));
}
