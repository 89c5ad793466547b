import type { RecordEntry, Store } from '#engine';
import {
  findGroup,
  type GroupRecord,
  groupRecords,
  slugKey,
  slugsOf,
  userSubject,
} from '../../../directory/records/index.ts';
import type { ListDefinition } from '../../../kernel/lists/index.ts';
import { isId, metaOf } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import { type Filter, termsIn } from '../filter/filter.ts';
import { groupAttributes, groupResource, memberIds } from '../groups/group-resource.ts';
import { isMember } from '../groups/member-changes.ts';
import { groupType } from '../schema/group-type.ts';
import { type ListSource, mentions } from './list-source.ts';

const FOUND_MAX = 1000;
/** Of all groups of a page. */
const PAGE_MEMBERS_MAX = 200_000;

/** What filters and orders of groups look at. */
export const groupColumns: ListDefinition<GroupRecord> = {
  records: groupRecords,
  name: 'scim',
  text: () => [],
  sorts: {
    displayName: ({ displayName }) => displayName,
    externalId: ({ externalId }) => externalId,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
  },
  exactSorts: new Set(['externalId']),
  filters: {
    displayName: ({ displayName }) => displayName.toLowerCase(),
    externalId: ({ externalId }) => externalId,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
  },
};

/** Groups, as lists and filters see them. */
export const groupSource: ListSource<GroupRecord> = {
  type: groupType,
  records: groupRecords,
  columns: groupColumns,
  indexed: new Set(['id', 'displayName', 'externalId', 'members.value']),
  searched: new Set(),
  lookup: (store) => (path, value) => {
    const index = groupRecords.index(store);
    switch (path) {
      case 'id':
        return [value];
      case 'displayName':
        return index.ids('displayName', slugKey(value), { limit: FOUND_MAX });
      case 'externalId':
        return index.ids('externalId', value, { limit: FOUND_MAX });
      case 'members.value':
        return isId(value)
          ? slugsOf(store, userSubject(value), 'group').flatMap((slug) => findGroup(store, slug)?.id ?? [])
          : [];
      default:
        return undefined;
    }
  },
  tested: (store, base, filter) => {
    const asked = filter !== undefined && mentions(filter, 'members') ? membersAsked(filter) : [];
    return (entry) => {
      const plain = { ...groupAttributes(entry), meta: metaOf(groupType, base, entry.id, entry.document, undefined) };
      if (asked?.length === 0) return plain;
      return asked === undefined
        ? groupResource(store, entry, base, memberIds(store, entry.document.name))
        : { ...plain, members: membersAmong(store, entry, asked) };
    };
  },
  shown(store, base, has) {
    if (!has('members')) return (entry) => groupResource(store, entry, base, undefined);
    let left = PAGE_MEMBERS_MAX;
    return (entry) => {
      const ids = memberIds(store, entry.document.name);
      left -= ids.length;
      if (left < 0) {
        const advice = 'ask with "excludedAttributes=members", or for fewer groups';
        throw scimError('tooMany', `The groups of this page have more than ${PAGE_MEMBERS_MAX} members: ${advice}.`);
      }
      return groupResource(store, entry, base, ids);
    };
  },
};

/**
 * The members that a filter names, where it only asks whether somebody is one: then a group need not be read whole.
 * `undefined` where it asks for more.
 */
function membersAsked(filter: Filter): readonly string[] | undefined {
  const asked = termsIn(filter).filter(({ path }) => path.attribute === 'members');
  const ids = asked.map((term) => {
    const test = term.kind === 'values' ? term.filter : term;
    if (test.kind !== 'compare' || test.operator !== 'eq') return undefined;
    const { attribute, subAttribute } = test.path;
    return (subAttribute ?? attribute) === 'value' ? String(test.value) : undefined;
  });
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

function membersAmong(store: Store, { document }: RecordEntry<GroupRecord>, ids: readonly string[]) {
  return ids.filter((id) => isMember(store, document.name, id)).map((value) => ({ value }));
}
