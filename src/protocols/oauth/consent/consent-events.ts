import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

const data = z.strictObject({
  userId: z.string(),
  clientId: z.string(),
  /** What was granted now; what was granted all in all and is no more. */
  scopes: z.array(z.string()).readonly(),
});

const example = {
  userId: '01920000-0000-7000-8000-000000000001',
  clientId: '01920000-0000-7000-8000-00000000000f',
  scopes: ['openid', 'email'],
};

const about = ({ userId, clientId }: z.output<typeof data>) => resourceNames({ user: userId, client: clientId });

export const consentGranted = defineEvent({
  type: 'consent.granted',
  data,
  example,
  about,
  becomes: { a: { name: 'consent.granted', data: (given) => given } },
});

export const consentRevoked = defineEvent({
  type: 'consent.revoked',
  data,
  example,
  about,
  becomes: { a: { name: 'consent.revoked', data: (taken) => taken } },
});
