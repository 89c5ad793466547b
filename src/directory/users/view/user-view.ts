import { z } from 'zod';
import type { Store } from '#engine';
import type { Family } from '../../../kernel/lists/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import { slugsOf, type UserEntry, userSubject } from '../../records/index.ts';
import { NamedSlugs } from './named-slugs.ts';

const text = z.string().nullable();
const mayBeEmpty = z.string().describe('Empty where the user has none');

const profile = {
  username: text,
  name: text,
  givenName: text,
  familyName: text,
  picture: text,
  phoneNumber: text,
  title: text,
  locale: text,
  zoneinfo: text,
};
const profileNames = Object.keys(profile) as (keyof typeof profile)[];
/** What is never null in the tenant family (specification, User). */
const tenantTexts = { picture: mayBeEmpty, phoneNumber: mayBeEmpty };
/** In the org family nothing is that the user shows as text. */
const orgTexts = {
  ...(Object.fromEntries(profileNames.map((name) => [name, mayBeEmpty])) as Record<
    (typeof profileNames)[number],
    typeof mayBeEmpty
  >),
  lastLoginAt: z.string().describe('Empty before the first login'),
};

const tenantTextNames = Object.keys(tenantTexts) as (keyof typeof tenantTexts)[];
const orgTextNames = Object.keys(orgTexts) as (keyof typeof orgTexts)[];

const common = {
  id: z.string(),
  number: z.int().describe('The `userId` of sessions in the tenant family'),
  email: z.string(),
  ...profile,
  emailVerified: z.boolean(),
  isActive: z.boolean(),
  mfaEnabled: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastLoginAt: text,
  externalId: text.describe('The id that a provisioning client has given the user'),
  scim: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What provisioning has said of the user beside these fields, by the names of SCIM'),
};

const named = z.array(
  z.strictObject({ id: text.describe('Null where there is no record of it'), slug: z.string(), name: z.string() }),
);

const inOrg = {
  isBlocked: z.boolean(),
  roles: z.array(z.string()).describe('Slugs of the roles that the user has by itself, and not through a group'),
  groups: z.array(z.string()),
};

/** A user as events tell of it: what it lacks is null. */
export const toldUserSchema = z.strictObject({ ...common, ...inOrg });
const orgUserSchema = z.strictObject({ ...common, ...orgTexts, ...inOrg });

const tenantUserSchema = z.strictObject({
  ...common,
  ...tenantTexts,
  blocked: z.boolean().describe('Blocked from logging in'),
  roles: named,
  groups: named,
  loginCount: z.int(),
});

export function userSchema(family: Family): z.ZodType {
  return family === 'org' ? orgUserSchema : tenantUserSchema;
}

export type ToldUser = z.output<typeof toldUserSchema>;
type OrgUser = z.output<typeof orgUserSchema>;

/** For what shows what a user looks like. */
export const exampleUser: ToldUser = {
  id: '01920000-0000-7000-8000-000000000001',
  number: 1,
  email: 'anne@example.com',
  username: 'anne',
  name: 'Anne Example',
  givenName: 'Anne',
  familyName: 'Example',
  picture: null,
  phoneNumber: null,
  title: null,
  locale: 'en',
  zoneinfo: null,
  emailVerified: true,
  isActive: true,
  mfaEnabled: true,
  metadata: { department: 'library' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
  externalId: null,
  scim: null,
  isBlocked: false,
  roles: ['editor'],
  groups: ['engineering'],
};
type TenantUser = z.output<typeof tenantUserSchema>;

/** A user as a family shows it. To be called inside `Engine.read`; several of one store share `names`. */
export function userView(
  store: Store,
  entry: UserEntry,
  family: Family,
  names: NamedSlugs = new NamedSlugs(store),
): OrgUser | TenantUser {
  const subject = userSubject(entry.id);
  const roles = slugsOf(store, subject, 'role').sort();
  const groups = slugsOf(store, subject, 'group').sort();
  if (family === 'org') return withTexts(toldUser(entry, roles, groups), orgTextNames);
  const user = withMore(commonFields(entry), {
    blocked: entry.document.isBlocked,
    roles: roles.map((slug) => names.role(slug)),
    groups: groups.map((slug) => names.group(slug)),
    loginCount: entry.document.loginCount,
  });
  return withTexts(user, tenantTextNames);
}

/** Puts empty texts in place of nulls of these fields. */
function withTexts<User extends object, Name extends keyof User>(user: User, names: readonly Name[]) {
  const shown: Record<Name, unknown> = user;
  for (const name of names) shown[name] ??= '';
  return user as Omit<User, Name> & Record<Name, string>;
}

export function toldUser(
  entry: Pick<UserEntry, 'id' | 'document'>,
  roles: readonly string[],
  groups: readonly string[],
): ToldUser {
  const { isBlocked } = entry.document;
  return withMore(commonFields(entry), { isBlocked, roles: [...roles], groups: [...groups] });
}

/** To an object that is the caller's own. Of so many fields, spreading makes a dictionary, which takes thirty times as long. */
function withMore<Fields extends object, More extends object>(fields: Fields, more: More): Fields & More {
  return Object.assign(fields, more);
}

function commonFields({ id, document }: Pick<UserEntry, 'id' | 'document'>) {
  const { number, email, emailVerified, isActive, mfaEnabled, metadata, createdAt, updatedAt, lastLoginAt } = document;
  return {
    id,
    number,
    email,
    username: document.username ?? null,
    name: document.name ?? null,
    givenName: document.givenName ?? null,
    familyName: document.familyName ?? null,
    picture: document.picture ?? null,
    phoneNumber: document.phoneNumber ?? null,
    title: document.title ?? null,
    locale: document.locale ?? null,
    zoneinfo: document.zoneinfo ?? null,
    emailVerified,
    isActive,
    mfaEnabled,
    metadata: { ...metadata },
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    lastLoginAt: isoTimeOrNull(lastLoginAt),
    externalId: document.scim?.externalId ?? null,
    scim: document.scim === undefined ? null : { ...document.scim.attributes },
  };
}
