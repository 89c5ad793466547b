import { type UserRecord, userRecords } from '../../../directory/records/index.ts';
import type { ListDefinition } from '../../../kernel/lists/index.ts';
import { contactsOf } from '../users/contact-lists.ts';

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
  },
};

function lower(text: string | undefined): string | undefined {
  return text?.toLowerCase();
}

/** One address is kept as a text: a list for each user would take more memory than all other columns. */
function emailsOf(email: string, scim: UserRecord['scim']): string | readonly string[] {
  const kept = contactsOf(scim?.attributes.emails);
  if (kept.length < 2) return email.toLowerCase();
  const others = kept.flatMap(({ value }) => (typeof value === 'string' ? [value.toLowerCase()] : []));
  return [...new Set([email.toLowerCase(), ...others])];
}
