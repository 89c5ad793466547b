import type { Change, RecordEntry, RecordWrite, Store } from '#engine';
import { clearFactors } from './factor-record.ts';

/** Collection of an organization's store, apart from the users' own records: whoever reads a user reads no secret. */
const credentialsCollection = 'user_credentials';

/** How a user proves who it is. A record's id is the user's. Times are milliseconds since the epoch. */
export interface Credentials {
  /** argon2id in PHC form; absent where the user has yet to set a password. */
  readonly hash?: string;
  /** Whether the next login asks for a new password, as it does where there is none. */
  readonly mustChange: boolean;
  readonly changedAt?: number;
  /** Hashes of passwords before this one, the latest first: as many as the policy refuses to see again. */
  readonly previous: readonly string[];
}

export type CredentialsEntry = RecordEntry<Credentials>;

/** Of a user that was created without a password. */
export const noPassword: Credentials = { mustChange: true, previous: [] };

export function getCredentials(store: Store, userId: string): CredentialsEntry | undefined {
  return store.records.get<Credentials>(credentialsCollection, userId);
}

/** What sign-in asks about a user's password, without its hash. To be called inside `Engine.read`. */
export function passwordState(store: Store, userId: string) {
  const { hash, mustChange, changedAt } = getCredentials(store, userId)?.document ?? noPassword;
  return { hasPassword: hash !== undefined, mustChange, changedAt };
}

export function credentialsWrite(userId: string, document: Credentials): RecordWrite {
  return { collection: credentialsCollection, id: userId, document };
}

/** What a new or changed password must be judged against, at the version at which it was. */
export function credentialsAt(store: Store, userId: string, version: number | undefined) {
  const place = { store: store.name, collection: credentialsCollection, id: userId };
  return version === undefined
    ? ({ require: 'record_absent', ...place } as const)
    : ({ require: 'record_version', ...place, version } as const);
}

/** Every secret of a user. */
export function clearCredentials(store: Store, userId: string): Change[] {
  return [
    { op: 'delete_record', store: store.name, collection: credentialsCollection, id: userId },
    clearFactors(store, userId),
  ];
}
