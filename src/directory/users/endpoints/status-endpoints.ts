import { type Endpoint, endpointFor } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleSchema } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { changeStatus, resetMfa, statusChanges } from '../changes/status.ts';
import { userSchema } from '../view/user-view.ts';
import { userTags as tags, type UserRoom, userReply } from './answers.ts';

const endpoint = endpointFor<Caller>();

const described = {
  block: {
    path: 'block',
    summary: 'Block a user',
    description: 'The user counts in no decision any more, and every session and token ends at once.',
  },
  unblock: { path: 'unblock', summary: 'Unblock a user', description: 'Sessions that ended stay ended.' },
  markVerified: {
    path: 'mark-verified',
    summary: 'Mark the email address of a user as verified',
    description: 'Without sending an email.',
  },
} as const satisfies Record<keyof typeof statusChanges, object>;

export function statusEndpoints(room: UserRoom): Endpoint[] {
  const names = Object.keys(described) as (keyof typeof described)[];
  return [...names.map((name) => statusEndpoint(room, name)), mfaEndpoint(room)];
}

function statusEndpoint(room: UserRoom, name: keyof typeof described): Endpoint {
  const { dependencies, base, family } = room;
  const { path, summary, description } = described[name];
  const change = statusChanges[name];
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/${path}`,
    summary,
    description,
    tags,
    access: { permission: change.permission },
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const target = { reference: params.userId, family };
      return userReply(room, caller, await changeStatus(dependencies, caller, factsOf(call), target, change));
    },
  });
}

function mfaEndpoint(room: UserRoom): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/mfa/reset`,
    summary: 'Reset the second factors of a user',
    description: 'Where a second factor is required, the user registers one at the next login.',
    tags,
    access: { permission: 'users.reset_mfa' },
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const target = { reference: params.userId, family };
      return userReply(room, caller, await resetMfa(dependencies, caller, factsOf(call), target));
    },
  });
}
