import type { RecordEntry, Store } from '#engine';
import {
  type ListedTest,
  type ListPosition,
  type PagePart,
  type RecordLists,
  type RecordQuery,
  type SortKey,
  sortedPage,
  sortKeyIn,
} from '../../../kernel/lists/index.ts';
import type { QueryHandler } from '../../../kernel/queries/index.ts';
import { parseProjection, showsAny } from '../documents/projection.ts';
import { isId, type ScimResource } from '../documents/scim-resource.ts';
import type { Filter } from '../filter/filter.ts';
import { matcher } from '../filter/match-filter.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { requireReadable } from '../service/requirements.ts';
import { type Candidates, candidateIds, type IndexLookup, indexedIds } from './candidates.ts';
import { listedTest } from './columns/listed-test.ts';
import { rowTest } from './columns/row-test.ts';
import { type SortOrder, sortOrderOf } from './columns/sort-keys.ts';
import { groupSource } from './group-source.ts';
import type { ListSource } from './list-source.ts';
import { cursorOf, cursorText, type ScimListTask } from './list-task.ts';
import { userSource } from './user-source.ts';

const listResponse = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

type AnySource = ListSource<never>;
const sources: Readonly<Record<'User' | 'Group', AnySource>> = {
  // each is only called with entries of its own records
  User: userSource as unknown as AnySource,
  Group: groupSource as unknown as AnySource,
};

/** Lists of SCIM, answered in the threads of the pool. */
export function scimListQuery(lists: RecordLists): QueryHandler<ScimListTask> {
  return {
    kind: 'scim_list',
    permission: undefined,
    async prepare({ organization: { store } }, task) {
      const filter = filterOf(task);
      for (const type of task.types) {
        const source = sources[type];
        if (isIndexed(source, filter)) continue;
        const asked = {
          test: filter && { asListed: askedOfStore(source, filter) },
          sortBy: sortOf(source, task.query).column,
        };
        if (
          filter === undefined ||
          lists.isStored(store, source.columns, asked) ||
          !hasCandidates(lists, store, source, filter)
        )
          await lists.prepare(store.name, source.columns, asked);
      }
    },
    answer(caller, task) {
      for (const type of task.types) requireReadable(caller, type);
      return new ListAnswer(lists, caller.organization.store, task).body();
    },
  };
}

function filterOf({ types, query: { filter } }: ScimListTask): Filter | undefined {
  const [only] = types.length === 1 ? types : [];
  return filter === undefined ? undefined : parseFilter(only && sources[only].type, filter);
}

/** Whether indexes find all that can match: then no list is needed. */
function isIndexed({ indexed }: AnySource, filter: Filter | undefined): boolean {
  return filter !== undefined && indexedIds(filter, (path) => (indexed.has(path) ? [] : undefined)) !== undefined;
}

/** More are not read one by one for a page. */
const CANDIDATES_MAX = 5_000;

/** Ids of records that contain all matches, by indexes and the listing of the store; `undefined` where they are too many. */
function candidatesOf(
  lists: RecordLists,
  store: Store,
  source: AnySource,
  filter: Filter,
): ReadonlySet<string> | undefined {
  const lookup = source.lookup(store);
  return candidateIds(filter, waysOf(lists, store, source, lookup, CANDIDATES_MAX));
}

/** Whether there are, without a look at which ones. */
function hasCandidates(lists: RecordLists, store: Store, source: AnySource, filter: Filter): boolean {
  const lookup: IndexLookup = (path) => (source.indexed.has(path) ? [] : undefined);
  return candidateIds(filter, waysOf(lists, store, source, lookup, 0)) !== undefined;
}

function waysOf(
  lists: RecordLists,
  store: Store,
  { columns, searched }: AnySource,
  lookup: IndexLookup,
  limit: number,
) {
  const find = (asked: Candidates): readonly string[] | undefined => {
    const found = columns.listing && lists.stored(store, columns, { ...asked, limit });
    return found === undefined || found.total > CANDIDATES_MAX ? undefined : found.ids;
  };
  return { lookup, searched, find };
}

/** What of a filter the store can answer: only of what it lists itself. */
function askedOfStore({ columns }: AnySource, filter: Filter): ListedTest | undefined {
  return columns.listing === undefined ? undefined : listedTest(filter);
}

function sortOf({ type }: AnySource, { sortBy }: ScimListTask['query']): SortOrder {
  return (sortBy === undefined ? undefined : sortOrderOf(type, sortBy)) ?? { column: '' };
}

/** What one source has of a page. */
interface Part {
  readonly total: number;
  readonly resources: readonly ScimResource[];
  readonly last: ListPosition | undefined;
}

/** One page, of one kind of resource or of both: users come first then. */
class ListAnswer {
  readonly #lists: RecordLists;
  readonly #store: Store;
  readonly #task: ScimListTask;
  readonly #filter: Filter | undefined;

  constructor(lists: RecordLists, store: Store, task: ScimListTask) {
    this.#lists = lists;
    this.#store = store;
    this.#task = task;
    this.#filter = filterOf(task);
  }

  body(): Readonly<Record<string, unknown>> {
    const { types, query } = this.#task;
    const resources: ScimResource[] = [];
    let total = 0;
    let last: ListPosition | undefined;
    for (const type of types) {
      const part = this.#part(sources[type], query.startIndex - 1 - total, query.count - resources.length);
      total += part.total;
      resources.push(...part.resources);
      last = part.last;
    }
    const isByCursor = query.cursor !== undefined;
    return {
      schemas: [listResponse],
      totalResults: total,
      ...(isByCursor ? {} : { startIndex: query.startIndex }),
      itemsPerPage: resources.length,
      ...(isByCursor && last !== undefined ? { nextCursor: cursorText(this.#task, last) } : {}),
      Resources: resources,
    };
  }

  /** @param offset from where on among the matches of this source; below 0 from its first */
  #part(source: AnySource, offset: number, limit: number): Part {
    const { query, base } = this.#task;
    const from = Math.max(0, offset);
    const { total, entries, last } = this.#entries(source, from, Math.max(0, limit));
    const project = parseProjection(source.type, query);
    const show = source.shown(this.#store, base, (name) => showsAny(source.type, project, name));
    return { total, resources: entries.map((entry) => project(show(entry))), last };
  }

  #entries(source: AnySource, offset: number, limit: number): Found {
    const { query } = this.#task;
    const after = query.cursor === undefined || query.cursor === '' ? undefined : cursorOf(this.#task, query.cursor);
    const part: PagePart = { descending: query.descending, after, offset, limit };
    const sort = sortOf(source, query);
    const filter = this.#filter;
    if (filter !== undefined && isIndexed(source, filter)) {
      const ids = indexedIds(filter, source.lookup(this.#store)) ?? new Set();
      return this.#among(source, filter, [...ids], sort, part);
    }
    const { test: passes, isExact } = filter === undefined ? allRows : rowTest(source.type, filter, columnsOf(source));
    const asListed = filter && askedOfStore(source, filter);
    const test = passes && { name: `${this.#task.types.join()} ${query.filter}`, passes, asListed };
    if (filter !== undefined && !this.#lists.isStored(this.#store, source.columns, { test, sortBy: sort.column })) {
      const ids = candidatesOf(this.#lists, this.#store, source, filter);
      if (ids !== undefined) return this.#among(source, filter, [...ids], sort, part);
    }
    if (isExact && sort.column !== undefined) return this.#listed(source, { ...part, test, sortBy: sort.column });
    const everything = { test, offset: 0, limit: Number.MAX_SAFE_INTEGER };
    const { ids } = this.#lists.page(this.#store, source.columns, everything);
    return this.#among(source, isExact ? undefined : filter, ids, sort, part);
  }

  /** What a list in memory knows to match. */
  #listed(source: AnySource, query: RecordQuery): Found {
    const { ids, total, last } = this.#lists.page(this.#store, source.columns, query);
    return { total, entries: this.#read(source, ids), last: ids.length === query.limit ? last : undefined };
  }

  /** Of some records, those that match, in their order. One after the other is read: there can be many. */
  #among(
    source: AnySource,
    filter: Filter | undefined,
    ids: readonly string[],
    sort: SortOrder,
    part: PagePart,
  ): Found {
    const { column } = sort;
    const resourceOf = source.tested(this.#store, this.#task.base, filter, column === undefined ? sort.attribute : '');
    const passes = filter && matcher(source.type, filter);
    const positions: ListPosition[] = [];
    for (const id of ids) {
      const [entry] = this.#read(source, [id]);
      if (entry === undefined) continue;
      const resource = passes === undefined && column !== undefined ? undefined : resourceOf(entry);
      if (resource !== undefined && passes?.(resource) === false) continue;
      const key: SortKey =
        column === undefined ? resource && sort.keyOf(resource) : sortKeyIn(source.columns, column, entry.document, id);
      positions.push({ id, key });
    }
    const total = positions.length;
    const page = sortedPage(positions, part);
    const entries = this.#read(
      source,
      page.map(({ id }) => id),
    );
    return { total, entries, last: page.length === part.limit ? page.at(-1) : undefined };
  }

  #read({ records }: AnySource, ids: readonly string[]): RecordEntry<never>[] {
    return ids.flatMap((id) => (isId(id) ? (records.get(this.#store, id) ?? []) : []));
  }
}

const allRows = { test: undefined, isExact: true };

function columnsOf({ columns }: AnySource): ReadonlySet<string> {
  return new Set(Object.keys(columns.filters));
}

interface Found {
  readonly total: number;
  readonly entries: readonly RecordEntry<never>[];
  /** Where the page ends, if others may follow. */
  readonly last: ListPosition | undefined;
}
