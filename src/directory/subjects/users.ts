import type { RecordEntry, RecordWrite, Store } from '#engine';

/** Collection of an organization's store. A record's id is the U of the engine subject `user:U`. */
export const userCollection = 'users';

/** A person. Roles, groups and permissions are tuples, and only tuples. Times are milliseconds since the epoch. */
export interface UserRecord {
  /** Given once, never again: the `userId` of sessions in the tenant family. */
  readonly number: number;
  /** As it was given; mail goes there. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly username?: string;
  readonly name?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly picture?: string;
  readonly phoneNumber?: string;
  readonly title?: string;
  readonly locale?: string;
  readonly zoneinfo?: string;
  /** False after a deactivation. Neither state counts in any decision while it lasts: see `countsNow`. */
  readonly isActive: boolean;
  readonly isBlocked: boolean;
  readonly mfaEnabled: boolean;
  /** Attributes that policies see beside the fields. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastLoginAt?: number;
  readonly loginCount: number;
}

export type UserEntry = RecordEntry<UserRecord>;

export function userWrite(id: string, document: UserRecord): RecordWrite {
  return {
    collection: userCollection,
    id,
    document,
    indexes: document.username === undefined ? {} : { username: emailKey(document.username) },
    unique: { email: emailKey(document.email), number: String(document.number) },
  };
}

/** Under which an e-mail address is unique: two spellings of one address are one. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

export function userSubject(id: string): string {
  return `user:${id}`;
}

export function getUser(store: Store, id: string): UserEntry | undefined {
  return store.records.get<UserRecord>(userCollection, id);
}

export function findUserByEmail(store: Store, email: string): UserEntry | undefined {
  return store.records.byUnique<UserRecord>(userCollection, 'email', emailKey(email));
}

/** Where exactly one user has this name: names are not unique. */
export function findUserByUsername(store: Store, username: string): UserEntry | undefined {
  const [id, other] = store.recordIndex(userCollection).ids('username', emailKey(username), { limit: 2 });
  return id === undefined || other !== undefined ? undefined : getUser(store, id);
}

export function findUserByNumber(store: Store, number: number): UserEntry | undefined {
  return store.records.byUnique<UserRecord>(userCollection, 'number', String(number));
}

/** Whether decisions and sign-in regard the user: the engine is told with `suspend_subject` in the same commit. */
export function countsNow({ isActive, isBlocked }: Pick<UserRecord, 'isActive' | 'isBlocked'>): boolean {
  return isActive && !isBlocked;
}
