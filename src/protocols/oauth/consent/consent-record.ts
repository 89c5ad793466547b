import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

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

export type ConsentRecord = DocumentOf<typeof consentRecords>;
export type ConsentEntry = RecordEntry<ConsentRecord>;

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
