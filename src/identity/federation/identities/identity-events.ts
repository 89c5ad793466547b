import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

const about = {
  userId: z.string(),
  email: z.string(),
  identityId: z.string(),
  /** Of the provider's record. */
  providerId: z.string(),
  /** What the provider is called: `google`. */
  provider: z.string(),
};
const example = {
  userId: '01920000-0000-7000-8000-000000000001',
  email: 'anne@example.com',
  identityId: '01920000-0000-7000-8000-000000000010',
  providerId: '01920000-0000-7000-8000-000000000011',
  provider: 'google',
};

export const identityLinked = defineEvent({
  type: 'identity.linked',
  data: z.strictObject({
    ...about,
    /** The user registered by it; was found by the address; linked it from the account page. */
    reason: z.enum(['registered', 'found', 'linked']),
  }),
  example: { ...example, reason: 'linked' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: { a: { name: 'identity.linked' } },
});

export const identityUnlinked = defineEvent({
  type: 'identity.unlinked',
  data: z.strictObject({
    ...about,
    /** Somebody took it away; it went because the user's address was proved by somebody else. */
    reason: z.enum(['removed', 'disowned']),
  }),
  example: { ...example, reason: 'removed' },
  about: ({ userId }) => resourceNames({ user: userId }),
  becomes: { a: { name: 'identity.unlinked' } },
});
