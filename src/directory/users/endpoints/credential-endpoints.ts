import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { mailProblems } from '../../settings/index.ts';
import { linkMails, sendLink } from '../changes/send-link.ts';
import { setPassword } from '../changes/set-password.ts';
import { userSchema } from '../view/user-view.ts';
import { userTags as tags, type UserRoom, userReply } from './answers.ts';
import { passwordBody } from './bodies.ts';

const endpoint = endpointFor<Caller>();

const sentSchema = z.strictObject({
  sent: z.literal(true),
  expiresAt: z.string().describe('Until when the link works'),
});

export function credentialEndpoints(room: UserRoom): Endpoint[] {
  return [
    passwordEndpoint(room),
    linkEndpoint(room, 'passwordReset', 'password-reset', 'Mail a user a link to set a new password'),
    linkEndpoint(room, 'emailVerification', 'verify-email', 'Mail a user a link to confirm the email address'),
  ];
}

function passwordEndpoint(room: UserRoom): Endpoint {
  const { dependencies, base, family } = room;
  return endpoint({
    method: 'PUT',
    path: `${base}/admin/users/{userId}/password`,
    summary: 'Set the password of a user',
    description: 'It must meet the password policy. Every session and token of the user ends.',
    tags,
    access: { permission: 'users.reset_password' },
    rate: 'expensive',
    body: passwordBody,
    responses: { 200: singleSchema(userSchema(family)) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const target = { reference: params.userId, family };
      return userReply(room, caller, await setPassword(dependencies, caller, factsOf(call), target, body));
    },
  });
}

function linkEndpoint(room: UserRoom, name: keyof typeof linkMails, path: string, summary: string): Endpoint {
  const { dependencies, base, family } = room;
  const mail = linkMails[name];
  return endpoint({
    method: 'POST',
    path: `${base}/admin/users/{userId}/${path}`,
    summary,
    description: 'The link works once, and ends the one that was sent before.',
    tags,
    access: { permission: mail.permission },
    rate: 'expensive',
    responses: { 200: singleSchema(sentSchema) },
    errors: ['refused', 'unavailable', mailProblems.mail_failed],
    async handler(call) {
      const { caller, params } = call;
      const target = { reference: params.userId, family };
      const { expiresAt } = await sendLink(dependencies, caller, factsOf(call), target, mail);
      return json(200, singleAnswer({ sent: true, expiresAt: isoTime(expiresAt) }, family));
    },
  });
}
