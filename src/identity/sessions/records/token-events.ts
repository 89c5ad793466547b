import { z } from 'zod';
import { type DomainEvent, defineEvent, inSnakeCase, resourceNames } from '../../../kernel/events/index.ts';
import type { TokenEntry } from './token-record.ts';

const id = z.string().nullable();

const data = z.strictObject({
  /** Null where it is all tokens of the client, of the user, or of both together. */
  tokenId: id,
  type: z.enum(['access', 'refresh']).nullable(),
  /** Null where it is all tokens of the user. */
  clientId: id,
  /** Null where it is all tokens of the client, or the token is nobody's. */
  userId: id,
  /**
   * By an administrator; by the client; the user took the consent back; a refresh token or a code was used a second
   * time; by a security event of an issuer that the organization believes.
   */
  reason: z.enum(['admin', 'client', 'consent', 'reuse', 'code_reuse', 'signal']),
});

export const tokenRevoked = defineEvent({
  type: 'token.revoked',
  data,
  example: {
    tokenId: '01920000-0000-7000-8000-00000000000e',
    type: 'refresh',
    clientId: '01920000-0000-7000-8000-00000000000f',
    userId: '01920000-0000-7000-8000-000000000001',
    reason: 'reuse',
  },
  about: ({ userId, clientId, tokenId }) => resourceNames({ user: userId, client: clientId, token: tokenId }),
  becomes: {
    a: { name: 'token.revoked' },
    b: { name: 'token.revoked' },
    c: inSnakeCase('token.revoked', data),
  },
});

type Reason = z.output<typeof data>['reason'];

export function revokedToken({ id: tokenId, document }: TokenEntry, reason: Reason): DomainEvent {
  const { type, clientId, userId = null } = document;
  return tokenRevoked.of({ tokenId, type, clientId, userId, reason });
}

/** All tokens of a user, of a client, or of a user at a client. */
export function revokedTokens(
  { userId, clientId }: { readonly userId?: string; readonly clientId?: string },
  reason: Reason,
): DomainEvent {
  const whose = { clientId: clientId ?? null, userId: userId ?? null };
  return tokenRevoked.of({ tokenId: null, type: null, ...whose, reason });
}
