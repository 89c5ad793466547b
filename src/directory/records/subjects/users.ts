import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type ActorKind, type AuditName, auditName } from '../../../kernel/actors/index.ts';
import type { Actor } from '../../../kernel/audit/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { isoTime } from '../../../platform/index.ts';

/**
 * People. A record's id is the U of the engine subject `user:U`. Roles, groups and permissions are tuples, and only
 * tuples. Times are in milliseconds.
 */
export const userRecords = defineRecord({
  collection: 'users',
  holds: 'a person; what they are assigned is in tuples',
  schema: z.strictObject({
    /** Given once, never again: the `userId` of sessions in the tenant family. */
    number: z.int(),
    /** As it was given; mail goes there. */
    email: z.string(),
    emailVerified: z.boolean(),
    username: z.string().exactOptional(),
    name: z.string().exactOptional(),
    givenName: z.string().exactOptional(),
    familyName: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    phoneNumber: z.string().exactOptional(),
    title: z.string().exactOptional(),
    locale: z.string().exactOptional(),
    zoneinfo: z.string().exactOptional(),
    /** False after a deactivation. Neither state counts in any decision while it lasts: see `countsNow`. */
    isActive: z.boolean(),
    isBlocked: z.boolean(),
    mfaEnabled: z.boolean(),
    /** Attributes that policies see beside the fields. */
    metadata: z.record(z.string(), z.unknown()).readonly(),
    createdAt: z.number(),
    updatedAt: z.number(),
    lastLoginAt: z.number().exactOptional(),
    loginCount: z.int(),
    /** What provisioning alone knows: the id that its client has given, and attributes by the names of SCIM. */
    scim: z
      .strictObject({
        externalId: z.string().exactOptional(),
        attributes: z.record(z.string(), z.unknown()).readonly(),
      })
      .exactOptional(),
  }),
  unique: ({ email, number, username, scim }): Keys => ({
    email: emailKey(email),
    number: String(number),
    // names are unique among those who are provisioned
    ...(scim === undefined || username === undefined ? {} : { provisionedName: emailKey(username) }),
  }),
  indexes: ({ username, scim }): Keys => ({
    ...(username === undefined ? {} : { username: emailKey(username) }),
    ...(scim?.externalId === undefined ? {} : { externalId: scim.externalId }),
  }),
  listing: {
    orders: [
      ...inListing('email', 'username', 'name', 'givenName', 'familyName'),
      ...inListing('createdAt', 'updatedAt', 'lastLoginAt', 'loginCount'),
    ],
    text: ['email', 'name', 'username'],
    flags: ['isActive', 'isBlocked', 'emailVerified', 'mfaEnabled'],
    memberships: { subjectType: 'user', relations: ['role#assignee', 'group#member'] },
  },
  exported: (document) => document,
});

/** Orders by fields, each under the field's own name. */
function inListing(...names: readonly string[]) {
  return names.map((name) => ({ name, paths: [name] }));
}

export type UserRecord = DocumentOf<typeof userRecords>;
export type UserEntry = RecordEntry<UserRecord>;

/** Under which an email address is unique: two spellings of one address are one. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

export function userSubject(id: string): string {
  return `user:${id}`;
}

export function getUser(store: Store, id: string): UserEntry | undefined {
  return userRecords.get(store, id);
}

/** A user whom decisions and sign-in regard now. */
export function activeUser(store: Store, id: string): UserEntry | undefined {
  const user = getUser(store, id);
  return user !== undefined && countsNow(user.document) ? user : undefined;
}

/** A user as the one who does something, as the audit log names them. */
export function userAsActor(store: Store, id: string): Actor {
  return { ...userActing(id), email: getUser(store, id)?.document.email };
}

export function findUserByEmail(store: Store, email: string): UserEntry | undefined {
  return userRecords.byUnique(store, 'email', emailKey(email));
}

/** By the name of a user who is provisioned. */
export function findUserByProvisionedName(store: Store, name: string): UserEntry | undefined {
  return userRecords.byUnique(store, 'provisionedName', emailKey(name));
}

/** Where exactly one user has this name: names are not unique. */
export function findUserByUsername(store: Store, username: string): UserEntry | undefined {
  const [id, other] = userRecords.index(store).ids('username', emailKey(username), { limit: 2 });
  return id === undefined || other !== undefined ? undefined : getUser(store, id);
}

export function findUserByNumber(store: Store, number: number): UserEntry | undefined {
  return userRecords.byUnique(store, 'number', String(number));
}

/** Whether decisions and sign-in regard the user: the engine is told with `suspend_subject` in the same commit. */
export function countsNow({ isActive, isBlocked }: Pick<UserRecord, 'isActive' | 'isBlocked'>): boolean {
  return isActive && !isBlocked;
}

export const userActor = {
  type: 'user',
  collection: userRecords.collection,
  auditedAs: 'user',
  managedBy: 'users.update',
  readBy: 'users.read',
  nameOf(store, id) {
    const user = getUser(store, id)?.document;
    return user && (user.name ?? user.email);
  },
  attributes(store, id) {
    const entry = getUser(store, id);
    return entry && userAttributes(entry.document);
  },
  email: (store, id) => getUser(store, id)?.document.email,
  isPermanent: (store, id) => activeUser(store, id) !== undefined,
} as const satisfies ActorKind;

/** A user who acts without a caller: at sign-in, and on the account pages. */
export function userActing(id: string): AuditName {
  return auditName(userActor, id);
}

/**
 * What policies see of a user: the members of `metadata`, and over them the fields of the record. Times are ISO 8601;
 * what is not known is left out.
 */
export function userAttributes(record: UserRecord): Record<string, unknown> {
  const { metadata, createdAt, updatedAt, lastLoginAt, ...fields } = record;
  return {
    ...metadata,
    ...fields,
    metadata,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    ...(lastLoginAt === undefined ? {} : { lastLoginAt: isoTime(lastLoginAt) }),
  };
}
