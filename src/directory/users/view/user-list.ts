import { z } from 'zod';
import type { ListingMember, Store } from '#engine';
import {
  type Counted,
  countsOf,
  type Family,
  filterFields,
  type ListDefinition,
  type ListQuery,
  listSchema,
  offsetOf,
  type PageQuery,
  pagedAnswer,
  type RecordLists,
  type RecordQuery,
  sortFields,
  totalIsExact,
} from '../../../kernel/lists/index.ts';
import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import {
  getUser,
  groupNamed,
  groupObject,
  roleNamed,
  roleObject,
  type UserRecord,
  userRecords,
} from '../../records/index.ts';
import { keptNames, type NamedSlugs } from './named-slugs.ts';
import { userSchema, userView } from './user-view.ts';

export const userSorts = [
  'email',
  'username',
  'name',
  'givenName',
  'familyName',
  'createdAt',
  'updatedAt',
  'lastLoginAt',
  'loginCount',
] as const;

/** How lists see the records of users. */
export const userDefinition: ListDefinition<UserRecord> = {
  records: userRecords,
  listing: userRecords.listing,
  text: ({ email, name, username }) => [email, name, username],
  sorts: sortFields(...userSorts),
  filters: filterFields('isActive', 'isBlocked', 'emailVerified', 'mfaEnabled'),
};

export interface UserListQuery extends ListQuery {
  readonly isActive: boolean | undefined;
  readonly isBlocked: boolean | undefined;
  readonly emailVerified: boolean | undefined;
  readonly mfaEnabled: boolean | undefined;
  /** Id or slug of a role that the user has by itself. */
  readonly role: string | undefined;
  /** Id or slug of a group. */
  readonly group: string | undefined;
}

export interface UserListTask extends QueryTask {
  readonly kind: 'users';
  readonly query: UserListQuery;
  readonly family: Family;
}

/** Pages of users, answered in the threads of the pool. */
export function userQuery(lists: RecordLists): QueryHandler<UserListTask> {
  const names = keptNames();
  return {
    kind: 'users',
    permission: 'users.read',
    prepare: ({ organization }) => lists.prepare(organization.store.name, userDefinition),
    answer: ({ organization: { store } }, task) => userPage(lists, store, task, names.of(store)),
  };
}

function userPage(lists: RecordLists, store: Store, { query, family }: UserListTask, names: NamedSlugs): unknown {
  const { page, search, sortBy, descending, isActive, isBlocked, emailVerified, mfaEnabled } = query;
  const { ids, ...counted } = lists.page(store, userDefinition, {
    search,
    sortBy,
    descending,
    where: { isActive, isBlocked, emailVerified, mfaEnabled },
    ...membersAsked(store, query),
    offset: offsetOf(page),
    limit: page.limit,
  });
  const items = ids.flatMap((id) => {
    const entry = getUser(store, id);
    return entry === undefined ? [] : [userView(store, entry, family, names)];
  });
  return userPageAnswer(items, counted, page, family);
}

/** Who has the role and is in the group, where they are asked for. An unknown one has nobody in it. */
function membersAsked(store: Store, { role, group }: UserListQuery): Pick<RecordQuery, 'memberOf' | 'within'> {
  const memberOf: ListingMember[] = [];
  if (role !== undefined) {
    const slug = roleNamed(store, role)?.document.slug;
    if (slug === undefined) return { within: nobody };
    memberOf.push(usersOf('role', slug));
  }
  if (group !== undefined) {
    const name = groupNamed(store, group)?.document.name;
    if (name === undefined) return { within: nobody };
    memberOf.push(usersOf('group', name));
  }
  return { memberOf };
}

const nobody: ReadonlySet<string> = new Set();

/** The users who have a role by themselves, or are in a group. */
export function usersOf(type: 'role' | 'group', slug: string): ListingMember {
  return type === 'role'
    ? { relation: 'role#assignee', object: roleObject(slug) }
    : { relation: 'group#member', object: groupObject(slug) };
}

/** One page of a list of users: the tenant family has an envelope of its own for it (specification, Users). */
export function userPageAnswer(items: readonly object[], counted: Counted, page: PageQuery, family: Family): unknown {
  if (family === 'org' || page.form === 'offset') return pagedAnswer(items, counted, page, family);
  return { data: items, pagination: { page: page.page, limit: page.limit, ...countsOf(counted) } };
}

/** @param item of the list: a user, where omitted */
export function userPageSchema(family: Family, item: z.ZodType = userSchema(family)): z.ZodType {
  if (family === 'org') return listSchema(item);
  const pagination = z.strictObject({ page: z.int(), limit: z.int(), total: z.int(), totalIsExact });
  return z.union([
    z.strictObject({ data: z.array(item), pagination }),
    z.strictObject({ items: z.array(item), total: z.int(), totalIsExact, limit: z.int(), offset: z.int() }),
  ]);
}
