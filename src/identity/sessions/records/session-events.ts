import { z } from 'zod';
import { defineEvent, inSnakeCase, resourceNames } from '../../../kernel/events/index.ts';

const id = z.string().nullable();

const data = z.strictObject({
  /** Null where everybody is signed out. */
  userId: id,
  /** Of `session` alone. */
  sessionId: id,
  /** What ends: this session, the user's others, all of the user's, all of the organization's. */
  scope: z.enum(['session', 'other_sessions', 'user', 'organization']),
  /** The session that goes on, of `other_sessions` alone. */
  exceptSessionId: id,
  /** By the user; by an administrator; by a security event of an issuer that the organization believes. */
  reason: z.enum(['signed_out', 'revoked', 'signal']),
});

export const userLogout = defineEvent({
  type: 'user.logout',
  data,
  example: {
    userId: '01920000-0000-7000-8000-000000000001',
    sessionId: '01920000-0000-7000-8000-00000000000d',
    scope: 'session',
    exceptSessionId: null,
    reason: 'signed_out',
  },
  about: ({ userId, sessionId }) => resourceNames({ user: userId, session: sessionId }),
  becomes: { a: { name: 'user.logout' }, c: inSnakeCase('auth.logout', data) },
});

const everybody = { userId: null, sessionId: null, exceptSessionId: null } as const;

/** In the shapes in which sessions end. */
export const signedOut = {
  session: (userId: string, sessionId: string, reason: z.output<typeof data>['reason']) =>
    userLogout.of({ ...everybody, userId, sessionId, scope: 'session', reason }),
  others: (userId: string, exceptSessionId: string) =>
    userLogout.of({ ...everybody, userId, exceptSessionId, scope: 'other_sessions', reason: 'signed_out' }),
  user: (userId: string, reason: 'revoked' | 'signal') =>
    userLogout.of({ ...everybody, userId, scope: 'user', reason }),
  organization: () => userLogout.of({ ...everybody, scope: 'organization', reason: 'revoked' }),
};
