import { z } from 'zod';
import { defineEvent, inSnakeCase, resourceNames } from '../../../kernel/events/index.ts';

const about = {
  userId: z.string(),
  /** Null where the user is gone meanwhile. */
  email: z.string().nullable(),
};
const example = { userId: '01920000-0000-7000-8000-000000000001', email: 'anne@example.com' };

const challenged = z.strictObject({
  ...about,
  /** What would do: types of factors. */
  types: z.array(z.string()).readonly(),
  /** A sign-in goes on with the question for a factor; a code was sent. */
  reason: z.enum(['asked', 'code_sent']),
});

export const mfaChallenged = defineEvent({
  type: 'user.mfa_challenged',
  data: challenged,
  example: { ...example, types: ['totp', 'webauthn'], reason: 'asked' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: { c: inSnakeCase('auth.mfa.challenge', challenged.extend({ reason: z.string() })) },
});

const verified = z.strictObject({
  ...about,
  /** Of the factor, or `recovery_code`. */
  type: z.string(),
  factorId: z.string().nullable(),
});

export const mfaVerified = defineEvent({
  type: 'user.mfa_verified',
  data: verified,
  example: { ...example, type: 'totp', factorId: '01920000-0000-7000-8000-00000000000c' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: { c: inSnakeCase('auth.mfa.success', verified) },
});

const failed = z.strictObject({
  ...about,
  /** What was tried. */
  type: z.string(),
  reason: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  /** How often, of one user and address, in one minute. */
  count: z.int(),
});

export const mfaFailed = defineEvent({
  type: 'user.mfa_failed',
  data: failed,
  example: { ...example, type: 'totp', reason: 'wrong', ip: '192.0.2.7', userAgent: 'Mozilla/5.0', count: 1 },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: { c: inSnakeCase('auth.mfa.failure', failed) },
});
