import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';

const data = z.strictObject({
  userId: z.string(),
  clientId: z.string(),
  /** When granted, the scopes of this grant; when revoked, all that were granted before. */
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
  becomes: { a: { name: 'consent.granted' } },
});

export const consentRevoked = defineEvent({
  type: 'consent.revoked',
  data,
  example,
  about,
  becomes: { a: { name: 'consent.revoked' } },
});

/** What users have agreed to. A record's id names the user and the client: see `consentId`. Times are in milliseconds. */
export const consentRecords = defineRecord({
  collection: 'consents',
  holds: 'what a user has agreed to for a client',
  schema: z.strictObject({
    userId: z.string(),
    clientId: z.string(),
    /** All that the user has agreed to, at one time or another. */
    scopes: z.array(z.string()).readonly(),
    /** In which the user agreed last. */
    sessionId: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  indexes: ({ userId, clientId }) => ({ user: userId, client: clientId }),
  userKey: { index: 'user' },
});

type ConsentRecord = DocumentOf<typeof consentRecords>;
type ConsentEntry = RecordEntry<ConsentRecord>;

export type Parties = Pick<ConsentRecord, 'userId' | 'clientId'>;

export function consentId({ userId, clientId }: Parties): string {
  return `${userId}:${clientId}`;
}

export function getConsent(store: Store, parties: Parties): ConsentEntry | undefined {
  return consentRecords.get(store, consentId(parties));
}

/** What a user has agreed to, at most `limit` of it. */
export function consentsOf(store: Store, userId: string, limit: number): ConsentEntry[] {
  const ids = consentRecords.index(store).ids('user', userId, { limit });
  return ids.flatMap((each) => consentRecords.get(store, each) ?? []);
}

/** Puts a consent on record, in the commit that hands out the code. */
export function grantConsent(
  transaction: OrganizationTransaction,
  { userId, clientId, scopes, sessionId }: Omit<ConsentRecord, 'createdAt' | 'updatedAt'>,
): void {
  const { now } = transaction;
  const id = consentId({ userId, clientId });
  const before = transaction.get(consentRecords, id)?.document;
  transaction.put(consentRecords, id, {
    userId,
    clientId,
    scopes: [...new Set([...(before?.scopes ?? []), ...scopes])],
    sessionId,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  });
  transaction.audit(auditEvent('granted', { userId, clientId }, scopes));
  transaction.emit(consentGranted.of({ userId, clientId, scopes }));
}

/** Revokes a consent: no code that depends on it can be spent from then on. False where there is none. */
export function withdrawConsent(transaction: OrganizationTransaction, { userId, clientId }: Parties): boolean {
  const entry = transaction.get(consentRecords, consentId({ userId, clientId }));
  if (entry === undefined) return false;
  const { scopes } = entry.document;
  transaction.delete(consentRecords, entry.id);
  transaction.audit(auditEvent('revoked', { userId, clientId }, scopes));
  transaction.emit(consentRevoked.of({ userId, clientId, scopes }));
  return true;
}

function auditEvent(what: 'granted' | 'revoked', { userId, clientId }: Parties, scopes: readonly string[]): AuditEvent {
  return {
    eventType: `consent.${what}`,
    action: what === 'granted' ? 'consent.grant' : 'consent.revoke',
    targetType: 'client',
    targetId: clientId,
    metadata: { userId, scopes },
  };
}
