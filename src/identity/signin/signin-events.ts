import { z } from 'zod';
import { defineEvent } from '../../kernel/events/index.ts';
import { authMethodSchema } from '../sessions/index.ts';

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
  becomes: {
    a: {
      name: 'user.login',
      data: ({ userId, email, ip, userAgent, sessionId }) => ({ userId, email, ip, userAgent, sessionId }),
    },
    b: {
      name: 'user.login',
      data: ({ userId: id, email, ip, userAgent }) => ({ user: { id, email }, ip, userAgent }),
    },
    c: {
      name: 'auth.login.success',
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
    /** The password is wrong; the account is locked; its user may not sign in. */
    reason: z.enum(['wrong_password', 'locked_out', 'not_allowed']),
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
  becomes: {
    b: {
      name: 'user.login_failed',
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
