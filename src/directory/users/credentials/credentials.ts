import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/**
 * How a user proves who it is, apart from the users' own records: whoever reads a user reads no secret. A record's id is
 * the user's. Times are milliseconds since the epoch.
 */
export const credentialRecords = defineRecord({
  collection: 'user_credentials',
  holds: 'the hash of a password, and of those before it',
  schema: z.strictObject({
    /** argon2id in PHC form; absent where the user has yet to set a password. */
    hash: z.string().exactOptional(),
    /** Whether the next login asks for a new password, as it does where there is none. */
    mustChange: z.boolean(),
    changedAt: z.number().exactOptional(),
    /** Hashes of passwords before this one, the latest first: as many as the policy refuses to see again. */
    previous: z.array(z.string()).readonly(),
  }),
  userKey: 'id',
});

export type Credentials = DocumentOf<typeof credentialRecords>;
export type CredentialsEntry = RecordEntry<Credentials>;

/** Of a user that was created without a password. */
export const noPassword: Credentials = { mustChange: true, previous: [] };

/** What sign-in asks about a user's password, without its hash. To be called inside `Engine.read`. */
export function passwordState(store: Store, userId: string) {
  const { hash, mustChange, changedAt } = credentialRecords.get(store, userId)?.document ?? noPassword;
  return { hasPassword: hash !== undefined, mustChange, changedAt };
}
