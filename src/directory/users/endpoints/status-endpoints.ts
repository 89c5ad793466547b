import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { endpoint } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { mailProblems } from '../../settings/index.ts';
import { linkMails, sendLink } from '../changes/send-link.ts';
import { setPassword } from '../changes/set-password.ts';
import { changeStatus, resetMfa, statusChanges } from '../changes/status.ts';
import { passwordBody } from './bodies.ts';
import { type UserRoom, userChange, userTags } from './user-endpoint.ts';

const described = {
  block: {
    path: '/block',
    summary: 'Block a user',
    description: 'The user counts in no decision any more, and every session and token ends at once.',
  },
  unblock: { path: '/unblock', summary: 'Unblock a user', description: 'Sessions that ended stay ended.' },
  markVerified: {
    path: '/mark-verified',
    summary: 'Mark the email address of a user as verified',
    description: 'Without sending an email.',
  },
} as const satisfies Record<keyof typeof statusChanges, object>;

/** Whether a user can sign in, and by what. */
export function statusEndpoints(room: UserRoom): Endpoint[] {
  const names = Object.keys(described) as (keyof typeof described)[];
  return [
    ...names.map((name) =>
      userChange(room, {
        method: 'POST',
        ...described[name],
        right: statusChanges[name].permission,
        run: (call) => changeStatus(call, statusChanges[name]),
      }),
    ),
    userChange(room, {
      method: 'POST',
      path: '/mfa/reset',
      summary: 'Reset the second factors of a user',
      description: 'Where a second factor is required, the user registers one at the next login.',
      right: 'users.reset_mfa',
      errors: ['unavailable'],
      run: resetMfa,
    }),
    userChange(room, {
      method: 'PUT',
      path: '/password',
      summary: 'Set the password of a user',
      description: 'It must meet the password policy. Every session and token of the user ends.',
      right: 'users.reset_password',
      rate: 'expensive',
      body: passwordBody,
      run: (call) => setPassword(call, call.body),
    }),
    linkEndpoint(room, 'passwordReset', 'password-reset', 'Mail a user a link to set a new password'),
    linkEndpoint(room, 'emailVerification', 'verify-email', 'Mail a user a link to confirm the email address'),
  ];
}

const sentSchema = z.strictObject({
  sent: z.literal(true),
  expiresAt: z.string().describe('Until when the link works'),
});

function linkEndpoint(
  { dependencies, base, family }: UserRoom,
  name: keyof typeof linkMails,
  path: string,
  summary: string,
): Endpoint {
  const mail = linkMails[name];
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/${path}`,
    summary,
    description: 'The link works once, and ends the one that was sent before.',
    tags: userTags,
    access: { permission: mail.permission },
    rate: 'expensive',
    responses: { 200: singleSchema(sentSchema) },
    errors: ['refused', 'unavailable', mailProblems.mail_failed],
    async handler(call) {
      const { caller, params } = call;
      const request = { dependencies, caller, facts: factsOf(call), reference: params.userId, family };
      const { expiresAt } = await sendLink(request, mail);
      return json(200, singleAnswer({ sent: true, expiresAt: isoTime(expiresAt) }, family));
    },
  });
}
