import type { Store } from '#engine';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import { nothingToCommit, type Plan } from '../../../kernel/transactions/index.ts';
import { clientRecords } from '../clients/index.ts';
import { consentGranted, consentRevoked } from './consent-events.ts';
import {
  type ConsentRecord,
  consentPut,
  consentRecords,
  consentsOf,
  getConsent,
  sameConsent,
} from './consent-record.ts';

/** Most that are shown of one user. */
const SHOWN_MAX = 500;

type Parties = Pick<ConsentRecord, 'userId' | 'clientId'>;

/** What a user has agreed to, with the application's name. */
export interface GivenConsent extends ConsentRecord {
  readonly clientName: string;
  readonly logoUri: string | undefined;
  readonly clientUri: string | undefined;
}

/** Consents of a user to applications that there still are. To be called inside `Engine.read`. */
export function consentsOfUser(store: Store, userId: string): GivenConsent[] {
  return consentsOf(store, userId, SHOWN_MAX).flatMap(({ document }) => {
    const client = clientRecords.get(store, document.clientId)?.document;
    if (client === undefined) return [];
    return [{ ...document, clientName: client.name, logoUri: client.logoUri, clientUri: client.clientUri }];
  });
}

/** What puts a consent on record, for the commit that hands out the code. To be called inside a snapshot. */
export function granting(
  store: Store,
  { userId, clientId, scopes, sessionId }: Omit<ConsentRecord, 'createdAt' | 'updatedAt'>,
  now: number,
): Pick<Plan<void>, 'changes' | 'entries'> & Required<Pick<Plan<void>, 'preconditions' | 'events'>> {
  const before = getConsent(store, { userId, clientId })?.document;
  const document: ConsentRecord = {
    userId,
    clientId,
    scopes: [...new Set([...(before?.scopes ?? []), ...scopes])],
    sessionId,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return {
    changes: [consentPut(store, document)],
    preconditions: [sameConsent(store, document)],
    entries: [auditEvent('granted', { userId, clientId }, { scopes })],
    events: [consentGranted.of({ userId, clientId, scopes })],
  };
}

/**
 * What takes a consent back: no code that rests on it is spent from then on. The plan has the result false where there is
 * none. To be called inside a snapshot.
 */
export function withdrawing(store: Store, { userId, clientId }: Parties): Plan<boolean> {
  const entry = getConsent(store, { userId, clientId });
  if (entry === undefined) return nothingToCommit(false);
  return {
    changes: [consentRecords.delete(store, entry.id)],
    preconditions: [sameConsent(store, { userId, clientId })],
    entries: [auditEvent('revoked', { userId, clientId }, { scopes: entry.document.scopes })],
    events: [consentRevoked.of({ userId, clientId, scopes: entry.document.scopes })],
    result: true,
  };
}

function auditEvent(
  what: 'granted' | 'revoked',
  { userId, clientId }: Parties,
  metadata: Readonly<Record<string, unknown>>,
): AuditEvent {
  return {
    eventType: `consent.${what}`,
    action: what === 'granted' ? 'consent.grant' : 'consent.revoke',
    targetType: 'client',
    targetId: clientId,
    metadata: { userId, ...metadata },
  };
}
