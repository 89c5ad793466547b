import type { ListingDefinition, ListingMember, ListingStretch } from '#engine';
import type { RecordKind } from '../../records/index.ts';

/** A value that lists sort by. Those without one come last, and first when descending. */
export type SortKey = string | number | undefined;

/** A list of values belongs to fields that have several. */
export type FilterValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** The values of a row's filters, by name. */
export type FilterValues = (name: string) => FilterValue;

/**
 * How the records of one kind are searched, filtered and sorted. The functions see documents as they were put,
 * and must depend on them alone.
 */
export interface ListDefinition<Document> {
  readonly records: Pick<RecordKind<unknown>, 'collection'>;
  /** Tells lists of the same records apart; one of them may go without. */
  readonly name?: string;
  /**
   * How the store lists these records, under the same names of orders and filters. Pages come from there once it has listed
   * them all. They are searched and sorted in memory before that, and where a query has a test of its own.
   */
  readonly listing?: ListingDefinition | undefined;
  /**
   * Orders that have another name there. Of several names, the first in which a record has a value counts: the store
   * answers while all records have a value in the same one, and memory otherwise.
   */
  readonly listedAs?: Readonly<Record<string, string | readonly string[]>>;
  /** Texts that a search looks through, whatever the case. */
  readonly text: (document: Document, id: string) => readonly (string | undefined | null)[];
  /** By the name that callers sort by. Texts are compared by code unit, folded unless `exactSorts` names them. */
  readonly sorts: Readonly<Record<string, (document: Document, id: string) => SortKey>>;
  /** Orders in which letters of different case differ. */
  readonly exactSorts?: ReadonlySet<string>;
  /** Fields that a query can ask to be equal to a value. */
  readonly filters: Readonly<Record<string, (document: Document, id: string) => FilterValue>>;
}

/** A definition whose document type is only known where it was made. */
export type AnyDefinition = ListDefinition<never>;

/** A test as the listing of the store can be asked for it. */
export interface ListedTest {
  /** By the name of a flag of the listing. */
  readonly where?: Readonly<Record<string, boolean>>;
  /** Numbers that an order has: from one on, and below another. */
  readonly between?: readonly (Pick<ListingStretch, 'from' | 'below'> & { readonly sortBy: string })[];
}

export interface NamedTest {
  /** Always stands for the same test: rows that passed are kept until a row changes. */
  readonly name: string;
  readonly passes: (values: FilterValues, id: string) => boolean;
  /** Exactly the same, where the store can answer it: then no record is read into memory. */
  readonly asListed?: ListedTest | undefined;
}

export interface RecordQuery {
  /** Found anywhere in one of the texts, whatever the case. */
  readonly search?: string | undefined;
  readonly where?: Readonly<Record<string, FilterValue>>;
  /** What else must be true of a row. */
  readonly test?: NamedTest | undefined;
  /** Only subjects of a tuple of each of these objects; for records whose listing knows the relation. */
  readonly memberOf?: readonly ListingMember[] | undefined;
  /** Only these ids, where given. The set must never change: what was found of it is kept. */
  readonly within?: ReadonlySet<string> | undefined;
  /** A name of `sorts`; by id, which is the order of creation, where omitted. */
  readonly sortBy?: string | undefined;
  readonly descending?: boolean | undefined;
  /** Only what comes after this row in the order. It need not be there any more. */
  readonly after?: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Where a row stands in an order: its key as it was, and its id. */
export interface ListPosition {
  readonly key: SortKey;
  readonly id: string;
}

export interface RecordPage {
  readonly ids: readonly string[];
  /** All that match, also before `after`. */
  readonly total: number;
  /** False where at least so many match. */
  readonly totalIsExact?: boolean;
  /** Of the last row of the page, where others come after it. */
  readonly last?: ListPosition | undefined;
}

type Readers<Name extends string, Value> = {
  readonly [Field in Name]: (document: { readonly [Own in Field]?: Value }) => Value;
};

/** Sorts by fields of a document, each under the field's own name. */
export function sortFields<Name extends string>(...names: readonly Name[]): Readers<Name, SortKey> {
  return readers<Name, SortKey>(names);
}

/** Filters by fields of a document, each under the field's own name. */
export function filterFields<Name extends string>(...names: readonly Name[]): Readers<Name, FilterValue> {
  return readers<Name, FilterValue>(names);
}

function readers<Name extends string, Value>(names: readonly Name[]): Readers<Name, Value> {
  const all = names.map((name) => [name, (document: { readonly [Own in Name]?: Value }) => document[name]]);
  // one for each name
  return Object.fromEntries(all) as Readers<Name, Value>;
}
