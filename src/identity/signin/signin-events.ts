import { z } from 'zod';
import type { RequestFacts } from '../../kernel/audit/index.ts';
import { type DataOf, type DomainEvent, defineEvent, resourceNames } from '../../kernel/events/index.ts';
import { authMethodSchema } from '../sessions/index.ts';

const text = z.string();
/** The password is wrong; the account is locked; its user may not sign in. */
const failureReason = z.enum(['wrong_password', 'locked_out', 'not_allowed']);

export const userLogin = defineEvent({
  type: 'user.login',
  data: z.strictObject({
    userId: z.string(),
    email: z.string(),
    ip: z.string(),
    userAgent: z.string(),
    method: authMethodSchema,
    mfa: z.boolean(),
    sessionId: z.string(),
    /** The application that sent the user here, where it is known. */
    clientId: z.string().nullable(),
  }),
  example: {
    userId: '01920000-0000-7000-8000-000000000001',
    email: 'anne@example.com',
    ip: '192.0.2.7',
    userAgent: 'Mozilla/5.0',
    method: 'password',
    mfa: true,
    sessionId: '01920000-0000-7000-8000-00000000000d',
    clientId: '01920000-0000-7000-8000-00000000000f',
  },
  about: ({ userId, sessionId, clientId }) => resourceNames({ user: userId, client: clientId, session: sessionId }),
  becomes: {
    a: {
      name: 'user.login',
      schema: z.strictObject({ userId: text, email: text, ip: text, userAgent: text, sessionId: text }),
      data: ({ userId, email, ip, userAgent, sessionId }) => ({ userId, email, ip, userAgent, sessionId }),
    },
    b: {
      name: 'user.login',
      schema: z.strictObject({ user: z.strictObject({ id: text, email: text }), ip: text, userAgent: text }),
      data: ({ userId: id, email, ip, userAgent }) => ({ user: { id, email }, ip, userAgent }),
    },
    c: {
      name: 'auth.login.success',
      schema: z.strictObject({
        user_id: text,
        email: text,
        ip_address: text,
        user_agent: text,
        method: authMethodSchema,
        session_id: text,
      }),
      data: ({ userId, email, ip, userAgent, method, sessionId }) => ({
        user_id: userId,
        email,
        ip_address: ip,
        user_agent: userAgent,
        method,
        session_id: sessionId,
      }),
    },
  },
});

export const userLoginFailed = defineEvent({
  type: 'user.login_failed',
  data: z.strictObject({
    /** Null where there is no such account. */
    userId: z.string().nullable(),
    email: z.string().nullable(),
    /** What was tried: an address, or a code for what is none. */
    account: z.string(),
    ip: z.string(),
    userAgent: z.string(),
    reason: failureReason,
    /** How often, of one actor and address, in one minute. */
    count: z.int(),
  }),
  example: {
    userId: '01920000-0000-7000-8000-000000000001',
    email: 'anne@example.com',
    account: 'anne@example.com',
    ip: '192.0.2.7',
    userAgent: 'Mozilla/5.0',
    reason: 'wrong_password',
    count: 1,
  },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    b: {
      name: 'user.login_failed',
      schema: z.strictObject({
        user: z.strictObject({ id: text.nullable(), email: text.nullable() }),
        account: text,
        ip: text,
        userAgent: text,
        reason: failureReason,
        count: z.int(),
      }),
      data: ({ userId: id, email, account, ip, userAgent, reason, count }) => ({
        user: { id, email },
        account,
        ip,
        userAgent,
        reason,
        count,
      }),
    },
    c: {
      name: 'auth.login.failure',
      schema: z.strictObject({
        user_id: text.nullable(),
        email: text.nullable(),
        account: text,
        ip_address: text,
        user_agent: text,
        reason: failureReason,
        count: z.int(),
      }),
      data: ({ userId, email, account, ip, userAgent, reason, count }) => ({
        user_id: userId,
        email,
        account,
        ip_address: ip,
        user_agent: userAgent,
        reason,
        count,
      }),
    },
  },
});

type Failed = DataOf<typeof userLoginFailed>;

const USER_AGENT_MAX = 512;

/** The event of so many failures to sign in. */
export function failedLogin(
  { userId, email, account }: Pick<Failed, 'userId' | 'email' | 'account'>,
  facts: RequestFacts,
  reason: Failed['reason'],
): (count: number) => DomainEvent {
  const ip = facts.clientAddress();
  const userAgent = facts.header('user-agent').slice(0, USER_AGENT_MAX);
  return (count) => userLoginFailed.of({ userId, email, account, ip, userAgent, reason, count });
}
