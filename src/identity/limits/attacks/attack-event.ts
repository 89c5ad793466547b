import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

const text = z.string().nullable();
/** Failures of one account, from wherever they come; of one address, whichever accounts it tries. */
const target = z.enum(['account', 'address']);

export const bruteForce = defineEvent({
  type: 'security.brute_force',
  data: z.strictObject({
    target,
    /** What was tried: an address, or a code for what is none. Null where it is many. */
    account: text,
    /** Null where it is nobody's account, or many are tried. */
    userId: text,
    email: text,
    /** The address, or where the last failure came from. Null where it is unknown. */
    ip: text,
    failures: z.int(),
    /** How long it was counted for, at most. */
    windowSeconds: z.int(),
  }),
  example: {
    target: 'account',
    account: 'anne@example.com',
    userId: '01920000-0000-7000-8000-000000000001',
    email: 'anne@example.com',
    ip: '192.0.2.7',
    failures: 30,
    windowSeconds: 900,
  },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: {
    c: {
      name: 'security.brute_force',
      schema: z.strictObject({
        target,
        account: text,
        user_id: text,
        email: text,
        ip_address: text,
        failures: z.int(),
        window_seconds: z.int(),
      }),
      data: ({ target: counted, account, userId, email, ip, failures, windowSeconds }) => ({
        target: counted,
        account,
        user_id: userId,
        email,
        ip_address: ip,
        failures,
        window_seconds: windowSeconds,
      }),
    },
  },
});
