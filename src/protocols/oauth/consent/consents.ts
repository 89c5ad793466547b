import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { consentGranted, consentRevoked } from './consent-events.ts';
import { type ConsentRecord, consentId, consentRecords, type Parties } from './consent-record.ts';

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

/** Takes a consent back: no code that rests on it is spent from then on. False where there is none. */
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
