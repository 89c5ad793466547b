import { z } from 'zod';
import type { RequestFacts } from '../../kernel/audit/index.ts';
import { type DataOf, type DomainEvent, defineEvent, inSnakeCase, resourceNames } from '../../kernel/events/index.ts';
import { authMethodSchema } from '../sessions/index.ts';

const text = z.string();

const login = z.strictObject({
  userId: text,
  email: text,
  ip: text,
  userAgent: text,
  method: authMethodSchema,
  mfa: z.boolean(),
  sessionId: text,
  /** The application that sent the user here, where it is known. */
  clientId: text.nullable(),
});

export const userLogin = defineEvent({
  type: 'user.login',
  data: login,
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
      schema: login.omit({ method: true, mfa: true, clientId: true }),
      data: ({ userId, email, ip, userAgent, sessionId }) => ({ userId, email, ip, userAgent, sessionId }),
    },
    b: {
      name: 'user.login',
      schema: z.strictObject({ user: z.strictObject({ id: text, email: text }), ip: text, userAgent: text }),
      data: ({ userId: id, email, ip, userAgent }) => ({ user: { id, email }, ip, userAgent }),
    },
    c: inSnakeCase('auth.login.success', login.omit({ mfa: true, clientId: true })),
  },
});

const failed = {
  /** What was tried: an address, or a code for what is none. */
  account: text,
  ip: text,
  userAgent: text,
  /** The password is wrong; the account is locked; its user may not sign in. */
  reason: z.enum(['wrong_password', 'locked_out', 'not_allowed']),
  /** How often, of one actor and address, in one minute. */
  count: z.int(),
};
/** Null where there is no such account. */
const tried = { userId: text.nullable(), email: text.nullable() };
const loginFailed = z.strictObject({ ...tried, ...failed });

export const userLoginFailed = defineEvent({
  type: 'user.login_failed',
  data: loginFailed,
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
      schema: z.strictObject({ user: z.strictObject({ id: tried.userId, email: tried.email }), ...failed }),
      data: ({ userId: id, email, ...told }) => ({ user: { id, email }, ...told }),
    },
    c: inSnakeCase('auth.login.failure', loginFailed),
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
