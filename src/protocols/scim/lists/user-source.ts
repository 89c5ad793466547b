import { emailKey, findUserByEmail, type UserRecord, userRecords } from '../../../directory/records/index.ts';
import { metaOf } from '../documents/scim-resource.ts';
import { groupMemberIds } from '../groups/group-resource.ts';
import { userType } from '../schema/user-type.ts';
import { GroupNames, userAttributes, userResource } from '../users/user-resource.ts';
import { userColumns } from './columns/user-columns.ts';
import { type ListSource, mentions } from './list-source.ts';

const FOUND_MAX = 1000;

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
