import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

const id = z.string().nullable();
const scope = z.enum(['session', 'other_sessions', 'user', 'organization']);
const reasons = z.enum(['signed_out', 'revoked', 'signal']);

export const userLogout = defineEvent({
  type: 'user.logout',
  data: z.strictObject({
    /** Null where everybody is signed out. */
    userId: id,
    /** Of `session` alone. */
    sessionId: id,
    /** What ends: this session, the user's others, all of the user's, all of the organization's. */
    scope,
    /** The session that goes on, of `other_sessions` alone. */
    exceptSessionId: id,
    /** By the user; by an administrator; by a security event of an issuer that the organization believes. */
    reason: reasons,
  }),
  example: {
    userId: '01920000-0000-7000-8000-000000000001',
    sessionId: '01920000-0000-7000-8000-00000000000d',
    scope: 'session',
    exceptSessionId: null,
    reason: 'signed_out',
  },
  about: ({ userId, sessionId }) => resourceNames({ user: userId, session: sessionId }),
  becomes: {
    a: { name: 'user.logout', data: (data) => data },
    c: {
      name: 'auth.logout',
      schema: z.strictObject({ user_id: id, session_id: id, scope, except_session_id: id, reason: reasons }),
      data: ({ userId, sessionId, scope, exceptSessionId, reason }) => ({
        user_id: userId,
        session_id: sessionId,
        scope,
        except_session_id: exceptSessionId,
        reason,
      }),
    },
  },
});

const everybody = { userId: null, sessionId: null, exceptSessionId: null } as const;

/** In the shapes in which sessions end. */
export const signedOut = {
  session: (userId: string, sessionId: string, reason: z.output<typeof reasons>) =>
    userLogout.of({ ...everybody, userId, sessionId, scope: 'session', reason }),
  others: (userId: string, exceptSessionId: string) =>
    userLogout.of({ ...everybody, userId, exceptSessionId, scope: 'other_sessions', reason: 'signed_out' }),
  user: (userId: string, reason: 'revoked' | 'signal') =>
    userLogout.of({ ...everybody, userId, scope: 'user', reason }),
  organization: () => userLogout.of({ ...everybody, scope: 'organization', reason: 'revoked' }),
};
