import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

const about = {
  userId: z.string(),
  /** Null where the user is gone meanwhile. */
  email: z.string().nullable(),
};
const aboutInC = { user_id: about.userId, email: about.email };
const example = { userId: '01920000-0000-7000-8000-000000000001', email: 'anne@example.com' };

export const mfaChallenged = defineEvent({
  type: 'user.mfa_challenged',
  data: z.strictObject({
    ...about,
    /** What would do: types of factors. */
    types: z.array(z.string()).readonly(),
    /** A sign-in goes on with the question for a factor; a code was sent. */
    reason: z.enum(['asked', 'code_sent']),
  }),
  example: { ...example, types: ['totp', 'webauthn'], reason: 'asked' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    c: {
      name: 'auth.mfa.challenge',
      schema: z.strictObject({ ...aboutInC, types: z.array(z.string()).readonly(), reason: z.string() }),
      data: ({ userId, email, types, reason }) => ({ user_id: userId, email, types, reason }),
    },
  },
});

export const mfaVerified = defineEvent({
  type: 'user.mfa_verified',
  data: z.strictObject({
    ...about,
    /** Of the factor, or `recovery_code`. */
    type: z.string(),
    factorId: z.string().nullable(),
  }),
  example: { ...example, type: 'totp', factorId: '01920000-0000-7000-8000-00000000000c' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    c: {
      name: 'auth.mfa.success',
      schema: z.strictObject({ ...aboutInC, type: z.string(), factor_id: z.string().nullable() }),
      data: ({ userId, email, type, factorId }) => ({ user_id: userId, email, type, factor_id: factorId }),
    },
  },
});

export const mfaFailed = defineEvent({
  type: 'user.mfa_failed',
  data: z.strictObject({
    ...about,
    /** What was tried. */
    type: z.string(),
    reason: z.string(),
    ip: z.string(),
    userAgent: z.string(),
    /** How often, of one user and address, in one minute. */
    count: z.int(),
  }),
  example: { ...example, type: 'totp', reason: 'wrong', ip: '192.0.2.7', userAgent: 'Mozilla/5.0', count: 1 },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    c: {
      name: 'auth.mfa.failure',
      schema: z.strictObject({
        ...aboutInC,
        type: z.string(),
        reason: z.string(),
        ip_address: z.string(),
        user_agent: z.string(),
        count: z.int(),
      }),
      data: ({ userId, email, type, reason, ip, userAgent, count }) => ({
        user_id: userId,
        email,
        type,
        reason,
        ip_address: ip,
        user_agent: userAgent,
        count,
      }),
    },
  },
});
