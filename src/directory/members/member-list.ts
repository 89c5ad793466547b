import { z } from 'zod';
import type { ListingMember, Store } from '#engine';
import type { Endpoint } from '../../http/index.ts';
import {
  adminBounds,
  type Family,
  type ListQuery,
  listParameters,
  offsetOf,
  type RecordLists,
  readList,
} from '../../kernel/lists/index.ts';
import { endpoint } from '../../kernel/organizations/index.ts';
import { type QueryHandler, type QueryPool, type QueryTask, queryReply } from '../../kernel/queries/index.ts';
import { notFound } from '../../kernel/transactions/index.ts';
import { getUser, groupNamed, groupObject, roleNamed, roleObject } from '../records/index.ts';
import {
  keptNames,
  userDefinition,
  userPageAnswer,
  userPageSchema,
  userSchema,
  userSorts,
  usersOf,
  userView,
} from '../users/index.ts';

/** The users of one role or group. */
export interface MemberTask extends QueryTask {
  readonly kind: 'members';
  readonly of: 'role' | 'group';
  /** As the path names it. */
  readonly id: string;
  readonly query: ListQuery;
  readonly family: Family;
}

const stranger = z
  .strictObject({ id: z.string(), email: z.null(), name: z.null() })
  .meta({ id: 'UnknownMember', description: 'A subject that tuples name and that has no record here' });

/** As users are shown and listed elsewhere. */
export function memberListSchema(family: Family): z.ZodType {
  return userPageSchema(family, z.union([userSchema(family), stranger]));
}

/**
 * Pages of the users in a role or group, as many as there may be. Without a search and an order of its own a page is
 * read from the index of tuples, at its position; otherwise users with a record are searched and sorted.
 */
export function memberQuery(lists: RecordLists): QueryHandler {
  const kept = keptNames();
  const work: QueryHandler<MemberTask> = {
    kind: 'members',
    permission: 'users.read',
    async prepare({ organization }, { query }) {
      if (!isPlain(query)) await lists.prepare(organization.store.name, userDefinition);
    },
    answer({ organization: { store } }, { of, id, query, family }) {
      const slug = slugOf(store, of, id);
      const found = isPlain(query)
        ? plainPage(store, of, slug, query)
        : searchedPage(store, usersOf(of, slug), query, lists);
      const names = kept.of(store);
      const items = found.ids.map((each) => {
        const entry = getUser(store, each);
        return entry === undefined ? { id: each, email: null, name: null } : userView(store, entry, family, names);
      });
      return userPageAnswer(items, found, query.page, family);
    },
  };
  return work;
}

interface Found {
  readonly ids: readonly string[];
  readonly total: number;
}

function isPlain({ search = '', sortBy }: ListQuery): boolean {
  return search === '' && sortBy === undefined;
}

function slugOf(store: Store, of: 'role' | 'group', id: string): string {
  const slug = of === 'role' ? roleNamed(store, id)?.document.slug : groupNamed(store, id)?.document.name;
  if (slug === undefined) throw notFound();
  return slug;
}

function plainPage(store: Store, of: 'role' | 'group', slug: string, { page, descending }: ListQuery): Found {
  const holding =
    of === 'role'
      ? { object: roleObject(slug), relation: 'assignee' }
      : { object: groupObject(slug), relation: 'member' };
  const counted = { ...holding, subjectType: 'user' };
  const total = store.countSubjects(counted);
  const from = offsetOf(page);
  const offset = descending ? Math.max(0, total - from - page.limit) : from;
  const limit = descending ? Math.min(page.limit, Math.max(0, total - from)) : page.limit;
  if (limit === 0 || from >= total) return { ids: [], total };
  const ids = store.subjectPage({ ...counted, offset, limit });
  return { ids: descending ? ids.toReversed() : ids, total };
}

function searchedPage(
  store: Store,
  of: ListingMember,
  { page, search, sortBy, descending }: ListQuery,
  lists: RecordLists,
): Found {
  return lists.page(store, userDefinition, {
    search,
    sortBy,
    descending,
    memberOf: [of],
    offset: offsetOf(page),
    limit: page.limit,
  });
}

export interface MemberEndpointSpec {
  /** Ends in a parameter for the id of the role or group, and a name for its users. */
  readonly path: `/${string}`;
  readonly of: 'role' | 'group';
  readonly parameter: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly family: Family;
}

/** The list of users in a role or a group. */
export function memberEndpoint(queryPool: QueryPool, spec: MemberEndpointSpec): Endpoint {
  const { path, of, parameter, summary, tags, family } = spec;
  return endpoint({
    method: 'GET',
    path: path as string,
    summary,
    description:
      'Those who are in it by themselves. Searched by email address, name and username; without a search and an order ' +
      'in that in which the organization first met them.',
    tags,
    access: { permission: 'users.read' },
    query: z.strictObject(listParameters(adminBounds, userSorts)),
    responses: { 200: memberListSchema(family) },
    handler({ caller, query, params }) {
      const read = readList(query, adminBounds);
      const id = (params as Readonly<Record<string, string>>)[parameter] ?? '';
      return queryReply(queryPool, caller, { kind: 'members', of, id, query: read, family } as const);
    },
  });
}
