import type { RecordEntry, Store } from '#engine';
import type { ListDefinition } from '../../../kernel/lists/index.ts';
import type { RecordKind } from '../../../kernel/records/index.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { type Filter, termsIn } from '../filter/filter.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import type { IndexLookup } from './candidates.ts';

/** Makes one kind of entry into a resource. */
export type Show<Document> = (entry: RecordEntry<Document>) => ScimResource;

/** Where lists of one kind of resource come from. All of it is called inside a snapshot. */
export interface ListSource<Document extends object> {
  readonly type: ResourceType;
  readonly records: RecordKind<Document>;
  readonly columns: ListDefinition<Document>;
  /** Paths of attributes that an index finds. */
  readonly indexed: ReadonlySet<string>;
  readonly lookup: (store: Store) => IndexLookup;
  /** Paths of attributes through whose texts a search of the listing in the store looks. */
  readonly searched: ReadonlySet<string>;
  /** Resources with all that a filter looks at, and with one more attribute. */
  readonly tested: (store: Store, base: string, filter: Filter | undefined, attribute: string) => Show<Document>;
  /** Resources as they are answered. @param has whether an attribute of several values is shown */
  readonly shown: (store: Store, base: string, has: (attribute: string) => boolean) => Show<Document>;
}

/** Whether a filter looks at an attribute. */
export function mentions(filter: Filter, attribute: string): boolean {
  return termsIn(filter).some(({ path }) => path.attribute === attribute);
}
