import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

export const accountLockedOut = defineEvent({
  type: 'security.account_lockout',
  data: z.strictObject({
    /** What was tried: an address, a user's id, or a code for what is neither. */
    account: z.string(),
    /** Null where it is nobody's account. */
    userId: z.string().nullable(),
    email: z.string().nullable(),
    /** Null where the failures of all addresses were counted together. */
    ip: z.string().nullable(),
    failures: z.int(),
    /** ISO 8601. */
    lockedUntil: z.string(),
  }),
  example: {
    account: 'anne@example.com',
    userId: '01920000-0000-7000-8000-000000000001',
    email: 'anne@example.com',
    ip: '192.0.2.7',
    failures: 10,
    lockedUntil: '2026-01-01T00:15:00.000Z',
  },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    c: {
      name: 'security.account_lockout',
      schema: z.strictObject({
        account: z.string(),
        user_id: z.string().nullable(),
        email: z.string().nullable(),
        ip_address: z.string().nullable(),
        failures: z.int(),
        locked_until: z.string(),
      }),
      data: ({ account, userId, email, ip, failures, lockedUntil }) => ({
        account,
        user_id: userId,
        email,
        ip_address: ip,
        failures,
        locked_until: lockedUntil,
      }),
    },
  },
});
