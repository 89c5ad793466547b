import { type UserRecord, userRecords } from '../../../directory/records/index.ts';
import type { ListDefinition } from '../../../kernel/lists/index.ts';
import { contactsOf, withChosen } from '../users/contact-lists.ts';
import { emailOf } from '../users/user-fields.ts';
import { packValue } from './packed-values.ts';

/**
 * What filters and orders of users look at, in the memory of the pool's threads: an attribute that is asked for often,
 * by its path. Others are read from the records.
 */
export const userColumns: ListDefinition<UserRecord> = {
  records: userRecords,
  name: 'scim',
  text: () => [],
  sorts: {
    userName: ({ username, email }) => username ?? email,
    displayName: ({ name }) => name,
    'name.givenName': ({ givenName }) => givenName,
    'name.familyName': ({ familyName }) => familyName,
    title: ({ title }) => title,
    emails: ({ email }) => email,
    externalId: ({ scim }) => scim?.externalId,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
  },
  filters: {
    userName: ({ username, email }) => lower(username ?? email),
    displayName: ({ name }) => lower(name),
    'name.givenName': ({ givenName }) => lower(givenName),
    'name.familyName': ({ familyName }) => lower(familyName),
    title: ({ title }) => lower(title),
    externalId: ({ scim }) => scim?.externalId,
    active: ({ isActive }) => isActive,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
    'emails.value': ({ email, scim }) => emailsOf(email, scim),
    'emails[]': ({ email, scim }) => packedEmails(email, scim),
  },
};

function lower(text: string | undefined): string | undefined {
  return text?.toLowerCase();
}

/** One address is kept as a text: a list for each user would take more memory than all other columns. */
function emailsOf(email: string, scim: UserRecord['scim']): string | readonly string[] {
  const values = shownEmails(email, scim).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return values.length === 1 ? (values[0] ?? '') : values;
}

/** The values of `emails[...]`, packed; one is a text, as above. */
function packedEmails(email: string, scim: UserRecord['scim']): string | readonly string[] {
  const emails = shownEmails(email, scim).map(packValue);
  return emails.length === 1 ? (emails[0] ?? '') : emails;
}

function shownEmails(email: string, scim: UserRecord['scim']) {
  return withChosen(contactsOf(scim?.attributes.emails), email, emailOf);
}
