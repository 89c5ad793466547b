import type { RecordEntry, Store } from '#engine';
import type { Keys, RecordKind } from '../../../kernel/records/index.ts';

/** Under which a slug is unique: two that differ in case alone are one. */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

/** The unique index of ids that tuples have brought and that differ from another in case alone. */
const EXACT = 'exact';

/**
 * What administrators name has a slug, and two slugs that differ in case alone are one. Ids that tuples bring are told
 * apart by case too, as ids of objects are: the second of such ids is a variant, found by its exact text.
 */
export function slugKeys(index: string, slug: string, isVariant: boolean): Keys {
  return isVariant ? { [EXACT]: slug } : { [index]: slugKey(slug) };
}

/** How records of one kind are found by what they are named. */
export interface Named<Document> {
  readonly records: Pick<RecordKind<Document>, 'byUnique'>;
  /** Of the keys that slugs have without regard to case. */
  readonly index: string;
  readonly slugOf: (document: Document) => string;
}

/** The one with exactly this slug, its case included. */
export function findBySlug<Document>(
  { records, index, slugOf }: Named<Document>,
  store: Store,
  slug: string,
): RecordEntry<Document> | undefined {
  const entry = records.byUnique(store, index, slugKey(slug));
  return entry !== undefined && slugOf(entry.document) === slug ? entry : records.byUnique(store, EXACT, slug);
}

/** The one that stands in the way of another with this slug, whichever case it is in. */
export function rivalBySlug<Document>(
  { records, index }: Named<Document>,
  store: Store,
  slug: string,
): RecordEntry<Document> | undefined {
  return records.byUnique(store, index, slugKey(slug)) ?? records.byUnique(store, EXACT, slug);
}
