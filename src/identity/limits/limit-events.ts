import { z } from 'zod';
import { defineEvent, inSnakeCase, resourceNames } from '../../kernel/events/index.ts';

const text = z.string().nullable();
const anne = {
  account: 'anne@example.com',
  userId: '01920000-0000-7000-8000-000000000001',
  email: 'anne@example.com',
  ip: '192.0.2.7',
};

function aboutUser({ userId }: { readonly userId: string | null }) {
  return resourceNames({ user: userId });
}

const lockout = z.strictObject({
  /** What was tried: an address, a user's id, or a code for what is neither. */
  account: z.string(),
  /** Null where it is nobody's account. */
  userId: text,
  email: text,
  /** Null where the failures of all addresses were counted together. */
  ip: text,
  failures: z.int(),
  /** ISO 8601. */
  lockedUntil: z.string(),
});

export const accountLockedOut = defineEvent({
  type: 'security.account_lockout',
  data: lockout,
  example: { ...anne, failures: 10, lockedUntil: '2026-01-01T00:15:00.000Z' },
  about: aboutUser,
  becomes: { c: inSnakeCase('security.account_lockout', lockout) },
});

const attack = z.strictObject({
  /** Failures of one account, from wherever they come; of one address, whichever accounts it tries. */
  target: z.enum(['account', 'address']),
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
});

export const bruteForce = defineEvent({
  type: 'security.brute_force',
  data: attack,
  example: { target: 'account', ...anne, failures: 30, windowSeconds: 900 },
  about: aboutUser,
  becomes: { c: inSnakeCase('security.brute_force', attack) },
});
