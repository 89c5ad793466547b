import { z } from 'zod';
import type { Engine, RecordEntry, Store } from '#engine';
import type { Endpoint, ProblemCode } from '../../http/index.ts';
import {
  boundsOf,
  type Family,
  type FilterValue,
  type ListDefinition,
  type ListQuery,
  listSchema,
  offsetOf,
  pagedAnswer,
  parametersOf,
  type RecordLists,
  readList,
} from '../lists/index.ts';
import { type Caller, endpoint, type FamilyBase } from '../organizations/index.ts';
import { type QueryHandler, type QueryPool, type QueryTask, queryReply } from '../queries/index.ts';
import type { Operation } from './resource.ts';

/** What a list is asked for, beside search and order. */
export interface ListFilters {
  /** Parameters that ask for a filter of the definition. */
  readonly filters?: Readonly<Record<string, z.ZodType<string | number | boolean | undefined>>>;
  /** Of filters that name a record: the id that the text names. Called inside a snapshot. */
  readonly named?: Readonly<Record<string, (caller: Caller, text: string) => string>>;
}

/** A list of records that administrators search and page through, of any length. */
export interface RecordList<Document> extends Operation, ListFilters {
  /** Below `/admin`. */
  readonly path: string;
  readonly tags: readonly string[];
  /** One without sorts is only searched, and is in the order of creation. */
  readonly definition: ListDefinition<Document>;
}

/** The endpoint of a list, in one family. The query pool answers it: see `recordListPages`. */
export function recordListEndpoint<Document>(
  list: RecordList<Document>,
  { engine, queryPool }: { readonly engine: Engine; readonly queryPool: QueryPool },
  base: FamilyBase,
  family: Family,
  schema: z.ZodType,
): Endpoint {
  const { definition, filters = {}, named = {}, tags, path } = list;
  const bounds = boundsOf(family);
  const whereOf = (caller: Caller, query: Readonly<Record<string, FilterValue>>) => {
    const where = Object.fromEntries(Object.keys(filters).map((name) => [name, query[name]]));
    const asked = Object.entries(named).filter(([name]) => typeof where[name] === 'string');
    if (asked.length === 0) return where;
    const ids = () => asked.map(([name, idOf]) => [name, idOf(caller, String(where[name]))]);
    return { ...where, ...Object.fromEntries(engine.read(ids)) };
  };
  return endpoint({
    ...described(list),
    method: 'GET',
    path: `${base}/admin/${path}` as string,
    tags,
    query: z.strictObject({ ...parametersOf(definition.sorts, bounds), ...filters }),
    responses: { 200: listSchema(schema) },
    handler: ({ caller, query }) => {
      const where = whereOf(caller, query as Readonly<Record<string, FilterValue>>);
      return queryReply(queryPool, caller, { kind: kindOf(list), query: readList(query, bounds), family, where });
    },
  });
}

/** One page of a list, as the query pool is asked for it. */
interface RecordListTask extends QueryTask {
  readonly query: ListQuery;
  readonly family: Family;
  /** Fields that must be equal to a value: names of the definition's filters. */
  readonly where: Readonly<Record<string, FilterValue>>;
}

/** The pages of a list, in the query pool: only the records of the page are read and shown. */
export function recordListPages<Document>(
  lists: RecordLists,
  list: Pick<RecordList<Document>, 'path' | 'right' | 'definition'>,
  view: (store: Store, entry: RecordEntry<Document>, family: Family) => unknown,
): QueryHandler<RecordListTask> {
  const { right: permission, definition } = list;
  return {
    kind: kindOf(list),
    permission,
    prepare: ({ organization }) => lists.prepare(organization.store.name, definition),
    answer({ organization: { store } }, { query, family, where }) {
      const { page, search, sortBy, descending } = query;
      const asked = { search, sortBy, descending, where, offset: offsetOf(page), limit: page.limit };
      const { ids, ...counted } = lists.page(store, definition, asked);
      const items = ids.flatMap((id) => {
        const entry = store.records.get<Document>(definition.records.collection, id);
        return entry === undefined ? [] : [view(store, entry, family)];
      });
      return pagedAnswer(items, counted, page, family);
    },
  };
}

/** Among all that the query pool answers. */
function kindOf({ path }: { readonly path: string }): string {
  return `list ${path}`;
}

/** @param usual problems that every operation of its sort can answer */
export function described({ summary, description, right, errors = [] }: Operation, ...usual: ProblemCode[]) {
  const all = [...new Set([...errors, ...usual])];
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    access: { permission: right },
    ...(all.length === 0 ? {} : { errors: all }),
  } as const;
}
