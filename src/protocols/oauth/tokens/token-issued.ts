import { z } from 'zod';
import { defineEvent, inSnakeCase, resourceNames } from '../../../kernel/events/index.ts';

const data = z.strictObject({
  tokenId: z.string(),
  type: z.literal('access'),
  clientId: z.string(),
  /** Null where it is the client's own. */
  userId: z.string().nullable(),
  scopes: z.array(z.string()).readonly(),
  /** Of the refresh token that came with it, or that it was issued by. */
  grantId: z.string().optional(),
  /** Who acts in the user's name: `agent:...`. */
  actor: z.string().optional(),
});

export const tokenIssued = defineEvent({
  type: 'token.issued',
  data,
  example: {
    tokenId: '01920000-0000-7000-8000-00000000000e',
    type: 'access',
    clientId: '01920000-0000-7000-8000-00000000000f',
    userId: '01920000-0000-7000-8000-000000000001',
    scopes: ['openid', 'email'],
    grantId: '01920000-0000-7000-8000-000000000012',
  },
  about: ({ userId, clientId, tokenId }) => resourceNames({ user: userId, client: clientId, token: tokenId }),
  becomes: {
    a: { name: 'token.issued' },
    b: { name: 'token.issued' },
    c: inSnakeCase('token.issued', data),
  },
});
