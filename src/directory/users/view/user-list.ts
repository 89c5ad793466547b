import { z } from 'zod';
import type { Store } from '#engine';
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
  sortFields,
  totalIsExact,
} from '../../../kernel/lists/index.ts';
import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import { getUser, groupNamed, roleNamed, type UserRecord, userRecords } from '../../records/index.ts';
import { Members } from './members.ts';
import { NamedSlugs, userSchema, userView } from './user-view.ts';

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
function userListWork(lists: RecordLists, members: Members): QueryHandler<UserListTask> {
  return {
    kind: 'users',
    permission: 'users.read',
    prepare: ({ organization }) => lists.prepare(organization.store.name, userDefinition),
    answer: ({ organization }, task) => userPage(lists, members, organization.store, task),
  };
}

export function userQueries(lists: RecordLists): QueryHandler[] {
  return [userListWork(lists, new Members())];
}

function userPage(lists: RecordLists, members: Members, store: Store, { query, family }: UserListTask): unknown {
  const { page, search, sortBy, descending, isActive, isBlocked, emailVerified, mfaEnabled } = query;
  const { ids, ...counted } = lists.page(store, userDefinition, {
    search,
    sortBy,
    descending,
    where: { isActive, isBlocked, emailVerified, mfaEnabled },
    within: usersWithin(members, store, query),
    offset: offsetOf(page),
    limit: page.limit,
  });
  const names = new NamedSlugs(store);
  const items = ids.flatMap((id) => {
    const entry = getUser(store, id);
    return entry === undefined ? [] : [userView(store, entry, family, names)];
  });
  return userPageAnswer(items, counted, page, family);
}

const nobody: ReadonlySet<string> = new Set();

/** Who has the role and is in the group; `undefined` where neither is asked for. */
function usersWithin(members: Members, store: Store, { role, group }: UserListQuery): ReadonlySet<string> | undefined {
  const of = (type: 'role' | 'group', slug: string | undefined): ReadonlySet<string> =>
    slug === undefined ? nobody : members.of(store, type, slug);
  const assignees = role === undefined ? undefined : of('role', roleNamed(store, role)?.document.slug);
  const inGroup = group === undefined ? undefined : of('group', groupNamed(store, group)?.document.name);
  if (assignees === undefined || inGroup === undefined) return assignees ?? inGroup;
  return new Set([...assignees].filter((id) => inGroup.has(id)));
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
