import type { RecordEntry, Store } from '#engine';
import {
  type Family,
  type ListDefinition,
  type ListQuery,
  offsetOf,
  pagedAnswer,
  type RecordLists,
} from '../lists/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { QueryHandler, QueryTask } from './query-handler.ts';

/** One page of a collection's records. */
export interface RecordListTask extends QueryTask {
  readonly query: ListQuery;
  readonly family: Family;
  /** Fields that must be equal to a value: names of the definition's filters. */
  readonly where?: Readonly<Record<string, string | number | boolean | undefined>>;
}

export interface RecordListSpec<Document> {
  readonly kind: string;
  readonly permission: SystemPermission;
  readonly definition: ListDefinition<Document>;
  /** A record as the family shows it. */
  readonly view: (store: Store, entry: RecordEntry<Document>, family: Family) => unknown;
}

/** Answers the lists of one collection: only the records of the page are read and shown. */
export function recordListQuery<Document>(
  lists: RecordLists,
  { kind, permission, definition, view }: RecordListSpec<Document>,
): QueryHandler<RecordListTask> {
  return {
    kind,
    permission,
    prepare: ({ organization }) => lists.prepare(organization.store.name, definition),
    answer({ organization: { store } }, { query, family, where }) {
      const { page, search, sortBy, descending } = query;
      const { ids, ...counted } = lists.page(store, definition, {
        search,
        sortBy,
        descending,
        ...(where === undefined ? {} : { where }),
        offset: offsetOf(page),
        limit: page.limit,
      });
      const items = ids.flatMap((id) => {
        const entry = store.records.get<Document>(definition.records.collection, id);
        return entry === undefined ? [] : [view(store, entry, family)];
      });
      return pagedAnswer(items, counted, page, family);
    },
  };
}
