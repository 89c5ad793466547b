import { z } from 'zod';
import type { UserRecord } from '../../../directory/records/index.ts';
import { emailSchema, profileShape } from '../../../directory/users/index.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';

/** What provisioning says of a user, by the names of the user's record. */
export interface UserFields extends Readonly<Record<ProfileName, string | null>> {
  readonly email: string;
  readonly isActive: boolean;
  readonly scim: NonNullable<UserRecord['scim']>;
}

type ProfileName = keyof typeof profileNames;

/** Fields of the profile, and the attributes that they are. */
const profileNames = {
  username: 'userName',
  name: 'displayName',
  givenName: 'name.givenName',
  familyName: 'name.familyName',
  phoneNumber: 'phoneNumbers',
  title: 'title',
  locale: 'locale',
  zoneinfo: 'timezone',
} as const;

/** Addresses are user names, too. */
const USER_NAME_MAX = 254;
const userName = z
  .string()
  .max(USER_NAME_MAX)
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'must not contain control characters, nor others that are not seen')
  .refine((name) => name === name.trim(), 'must not begin or end with a blank');

const fieldsSchema = z.object({
  ...profileShape,
  username: userName.nullable(),
  email: emailSchema,
});

/** Attributes that fields of the record stand for, or that are no user's to keep. */
const elsewhere: ReadonlySet<string> = new Set([
  'schemas',
  'id',
  'externalId',
  'meta',
  'groups',
  'password',
  'active',
  'userName',
  'displayName',
  'title',
]);

/**
 * The fields that a resource stands for; what has no field of its own is kept as it was sent.
 * @throws ProblemError `invalidValue`
 */
export function userFields(resource: ScimResource, before?: UserRecord): UserFields {
  const { externalId, userName: given, name = {} } = resource as Record<string, never>;
  // who leaves it out does not bring anybody back
  const active = (resource.active as boolean | undefined) ?? before?.isActive ?? true;
  const email = text(chosenOf(contactsOf(resource.emails))?.value) ?? '';
  // who is called by the address alone keeps having no other name
  const username = before !== undefined && before.username === undefined && given === before.email ? null : given;
  const { givenName, familyName } = name as Record<string, unknown>;
  const fields = {
    username: text(username),
    name: text(resource.displayName),
    givenName: text(givenName),
    familyName: text(familyName),
    phoneNumber: phoneOf(chosenOf(contactsOf(resource.phoneNumbers))?.value) ?? null,
    title: text(resource.title),
    locale: fitting('locale', resource.locale),
    zoneinfo: fitting('zoneinfo', resource.timezone),
  };
  requireValid({ ...fields, email }, contactsOf(resource.emails));
  return {
    ...fields,
    email,
    isActive: active,
    scim: {
      ...(externalId === undefined ? {} : { externalId }),
      attributes: keptAttributes(resource, fields, email),
    },
  };
}

/** A number that people can be called by, without the scheme (RFC 3966); `undefined` for what the record cannot hold. */
export function phoneOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const number = value.replace(/^tel:/i, '');
  return profileShape.phoneNumber.safeParse(number).success ? number : undefined;
}

export function emailOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** What the record can hold of a text that clients fill in as they like; the rest is kept as it was sent. */
function fitting(name: 'locale' | 'zoneinfo', value: unknown): string | null {
  return typeof value === 'string' && profileShape[name].safeParse(value).success ? value : null;
}

function keptAttributes(
  resource: ScimResource,
  { locale, zoneinfo }: Pick<UserFields, 'locale' | 'zoneinfo'>,
  email: string,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource)) if (!elsewhere.has(name)) kept[name] = value;
  const { givenName, familyName, ...name } = (resource.name ?? {}) as Record<string, unknown>;
  if (Object.keys(name).length > 0) kept.name = name;
  else delete kept.name;
  if (locale !== null) delete kept.locale;
  if (zoneinfo !== null) delete kept.timezone;
  // as it is shown anyway
  if (JSON.stringify(kept.emails) === JSON.stringify([{ value: email, primary: true }])) delete kept.emails;
  return kept;
}

function requireValid(fields: Readonly<Record<string, string | null>>, emails: readonly Contact[]): void {
  const checked = fieldsSchema.safeParse(fields);
  const issue = checked.error?.issues[0];
  if (issue === undefined) return;
  const name = String(issue.path[0]);
  const chosen = emails.indexOf(chosenOf(emails) ?? {});
  const attribute = name === 'email' ? `emails[${chosen}].value` : profileNames[name as ProfileName];
  throw scimError('invalidValue', `${attribute}: ${issue.message}`);
}

/** One of several addresses or numbers of a person: `{value, type, primary}`. */
export type Contact = Readonly<Record<string, unknown>>;

/** The one that counts: the primary, else the first. */
export function chosenOf(contacts: readonly Contact[]): Contact | undefined {
  return contacts.find(({ primary }) => primary === true) ?? contacts[0];
}

/**
 * Contacts as they were sent, brought up to date with the one value that the user's record has: whoever administers may
 * have changed that since. @param current `undefined` where the record has none any more
 */
export function withChosen(
  contacts: readonly Contact[],
  current: string | undefined,
  read: (value: unknown) => string | undefined,
): readonly Contact[] {
  const chosen = chosenOf(contacts);
  if (chosen === undefined) return current === undefined ? [] : [{ value: current, primary: true }];
  if (read(chosen.value) === current) return contacts;
  if (current === undefined) return contacts.filter((each) => each !== chosen);
  return contacts.map((each) => (each === chosen ? { ...each, value: current } : each));
}

export function contactsOf(value: unknown): readonly Contact[] {
  return Array.isArray(value) ? (value as Contact[]) : []; // each was read by the attribute's schema
}
