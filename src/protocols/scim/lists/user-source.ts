import { emailKey, findUserByEmail, type UserRecord, userRecords } from '../../../directory/records/index.ts';
import type { ListDefinition } from '../../../kernel/lists/index.ts';
import { metaOf } from '../documents/scim-resource.ts';
import { groupMemberIds } from '../groups/group-resource.ts';
import { userType } from '../schema/user-type.ts';
import { type Contact, contactsOf, emailOf, withChosen } from '../users/user-fields.ts';
import { GroupNames, userAttributes, userResource } from '../users/user-resource.ts';
import { kindText } from './columns/value-test.ts';
import { type ListSource, mentions } from './list-source.ts';

const FOUND_MAX = 1000;

/**
 * What filters and orders of users look at: an attribute that is asked for often, by its path. Orders without a filter come
 * from the store, and so do filters by who is active and by times; that by `userName` does as long as all users have a name or
 * none has one. Of other filters the store finds a few candidates, where it can (`candidates.ts`), which are read and tested.
 * What is left comes from the memory of the pool's threads, and other attributes are read from the records.
 */
export const userColumns: ListDefinition<UserRecord> = {
  records: userRecords,
  name: 'scim',
  listing: userRecords.listing,
  listedAs: {
    userName: ['username', 'email'],
    displayName: 'name',
    'name.givenName': 'givenName',
    'name.familyName': 'familyName',
    emails: 'email',
    'meta.created': 'createdAt',
    'meta.lastModified': 'updatedAt',
  },
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
  exactSorts: new Set(['externalId']),
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
    'emails.value': ({ email, scim }) => ofEmails(email, scim, ({ value }) => String(value).toLowerCase()),
    // what kind each of them is
    'emails[]': ({ email, scim }) => ofEmails(email, scim, kindText),
  },
};

function lower(text: string | undefined): string | undefined {
  return text?.toLowerCase();
}

/** One address is kept as a text: a list for each user would take more memory than all other columns. */
function ofEmails(email: string, scim: UserRecord['scim'], text: (value: Contact) => string) {
  const texts = withChosen(contactsOf(scim?.attributes.emails), email, emailOf).map(text);
  return texts.length === 1 ? texts[0] : texts;
}

/** Users, as lists and filters see them. */
export const userSource: ListSource<UserRecord> = {
  type: userType,
  records: userRecords,
  columns: userColumns,
  indexed: new Set(['id', 'userName', 'externalId', 'groups.value']),
  searched: new Set(['userName', 'displayName']),
  lookup: (store) => (path, value) => {
    const index = userRecords.index(store);
    switch (path) {
      case 'id':
        return [value];
      case 'userName': {
        // who has no name is called by the address
        const byEmail = findUserByEmail(store, value);
        return [...index.ids('username', emailKey(value), { limit: FOUND_MAX }), ...(byEmail ? [byEmail.id] : [])];
      }
      case 'externalId':
        return index.ids('externalId', value, { limit: FOUND_MAX });
      case 'groups.value':
        return groupMemberIds(store, value);
      default:
        return undefined;
    }
  },
  tested: (store, base, filter, attribute) => {
    const groups = new GroupNames(store);
    if (attribute === 'groups' || (filter !== undefined && mentions(filter, 'groups')))
      return (entry) => userResource(store, entry, base, groups);
    return ({ id, document }) => ({
      ...userAttributes(id, document),
      meta: metaOf(userType, base, id, document, undefined),
    });
  },
  shown: (store, base) => {
    const groups = new GroupNames(store);
    return (entry) => userResource(store, entry, base, groups);
  },
};
