import type { RecordKind } from '../../records/index.ts';

/** A value that lists sort by. Those without one come last, and first when descending. */
export type SortKey = string | number | undefined;

export type FilterValue = string | number | boolean | undefined;

/**
 * How the records of one kind are searched, filtered and sorted. The functions see documents as they were put,
 * and must depend on them alone.
 */
export interface ListDefinition<Document> {
  readonly records: Pick<RecordKind<unknown>, 'collection'>;
  /** Texts that a search looks through, whatever the case. */
  readonly text: (document: Document, id: string) => readonly (string | undefined | null)[];
  /** By the name that callers sort by. Texts are compared in lower case, by code unit. */
  readonly sorts: Readonly<Record<string, (document: Document, id: string) => SortKey>>;
  /** Fields that a query can ask to be equal to a value. */
  readonly filters: Readonly<Record<string, (document: Document, id: string) => FilterValue>>;
}

/** A definition whose document type is only known where it was made. */
export type AnyDefinition = ListDefinition<never>;

export interface RecordQuery {
  /** Found anywhere in one of the texts, whatever the case. */
  readonly search?: string | undefined;
  readonly where?: Readonly<Record<string, FilterValue>>;
  /** Only these ids, where it is given. The set must never change: what was found of it is kept. */
  readonly within?: ReadonlySet<string> | undefined;
  /** A name of `sorts`; by id, which is the order of creation, where omitted. */
  readonly sortBy?: string | undefined;
  readonly descending?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface RecordPage {
  readonly ids: readonly string[];
  /** All that match. */
  readonly total: number;
}
