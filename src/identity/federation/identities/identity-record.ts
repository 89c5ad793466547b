import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';
import type { ExternalIdentity } from '../upstreams/upstream.ts';

/** Those at providers who are users here. Ids are in the order in which they were linked. Times are in milliseconds. */
export const identityRecords = defineRecord({
  collection: 'federated_identities',
  holds: 'an account at a provider that is linked to a user',
  schema: z.strictObject({
    userId: z.string(),
    /** The record of the provider: never given to another one. */
    providerId: z.string(),
    /** What the provider was called in paths. */
    provider: z.string(),
    issuer: z.string(),
    subject: z.string(),
    /** As the provider told it then. */
    email: z.string().exactOptional(),
    /** Whether the user came into being by it, was found by an address, or has linked it. */
    how: z.enum(['registered', 'found', 'linked']),
    linkedAt: z.number(),
  }),
  unique: ({ providerId, issuer, subject }) => ({ key: keyOf(providerId, issuer, subject) }),
  indexes: ({ userId, providerId }) => ({ user: userId, provider: providerId }),
  userKey: { index: 'user' },
});

export type IdentityRecord = DocumentOf<typeof identityRecords>;
export type IdentityEntry = RecordEntry<IdentityRecord>;

/** Of one user. */
export const IDENTITIES_MAX = 20;

/** Who it is at the provider: the same subject of another issuer, or through another provider, is somebody else. */
function keyOf(providerId: string, issuer: string, subject: string): string {
  return digestOf(JSON.stringify([providerId, issuer, subject]));
}

export function findIdentity(
  store: Store,
  providerId: string,
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
): IdentityEntry | undefined {
  return identityRecords.byUnique(store, 'key', keyOf(providerId, issuer, subject));
}

/** In the order in which they were linked. To be called inside `Engine.read`. */
export function identitiesOf(store: Store, userId: string): IdentityEntry[] {
  const ids = identityRecords.index(store).ids('user', userId, { limit: IDENTITIES_MAX });
  return ids.flatMap((id) => identityRecords.get(store, id) ?? []);
}
