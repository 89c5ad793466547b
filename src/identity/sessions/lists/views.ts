import { z } from 'zod';
import type { Store } from '#engine';
import { getUser } from '../../../directory/records/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import { expiryOf, type Lifetime, type SessionEntry } from '../records/session-record.ts';
import type { TokenEntry } from '../records/token-record.ts';

const time = z.string().describe('ISO 8601');
const mayBeEmpty = z.string().describe('Empty where it is not known');
const address = z.string().nullable();

const orgSession = z.strictObject({
  id: z.string(),
  userId: z.string(),
  userEmail: mayBeEmpty,
  ipAddress: mayBeEmpty,
  userAgent: mayBeEmpty,
  createdAt: time,
  lastActivityAt: time,
  expiresAt: time.describe('When it ends if nobody uses it; when it ended'),
  isActive: z.boolean(),
});

const tenantSession = z.strictObject({
  id: z.string(),
  userId: z.int().describe('The number of the user'),
  ipAddress: address,
  userAgent: z.string().nullable(),
  device: z.strictObject({
    type: z.string().nullable(),
    os: z.string().nullable(),
    browser: z.string().nullable(),
  }),
  location: z.strictObject({ city: z.string().nullable(), country: z.string().nullable() }).nullable(),
  authMethod: z.enum(['password', 'social', 'sso']),
  mfaVerified: z.boolean(),
  createdAt: time,
  lastActiveAt: time,
  expiresAt: time.describe('When it ends if nobody uses it'),
});

export const sessionSchema = { org: orgSession, tenant: tenantSession } as const;

export const tokenSchema = z.strictObject({
  id: z.string(),
  type: z.enum(['access', 'refresh']),
  clientId: z.string(),
  userId: z.string().nullable().describe('Null where the client acts for itself'),
  scopes: z.array(z.string()),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.nullable(),
});

/** How a family shows a session. */
export function sessionView(
  store: Store,
  { id, document }: SessionEntry,
  isActive: boolean,
  lifetime: Lifetime,
  family: Family,
): z.output<typeof orgSession> | z.output<typeof tenantSession> {
  const { userId, ipAddress, userAgent, createdAt, lastActiveAt } = document;
  const times = { createdAt: isoTime(createdAt), expiresAt: isoTime(expiryOf(document, lifetime)) };
  if (family === 'org') {
    const userEmail = getUser(store, userId)?.document.email ?? '';
    return { id, userId, userEmail, ipAddress, userAgent, ...times, lastActivityAt: isoTime(lastActiveAt), isActive };
  }
  const { userNumber, device, location, authMethod, mfaVerified } = document;
  return {
    id,
    userId: userNumber,
    ipAddress: ipAddress || null,
    userAgent: userAgent || null,
    device,
    location: location && { city: location.city, country: location.country },
    authMethod,
    mfaVerified,
    ...times,
    lastActiveAt: isoTime(lastActiveAt),
  };
}

export function tokenView({ id, document }: TokenEntry): z.output<typeof tokenSchema> {
  const { type, clientId, userId, scopes, createdAt, expiresAt, lastUsedAt } = document;
  return {
    id,
    type,
    clientId,
    userId: userId ?? null,
    scopes: [...scopes],
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  };
}
