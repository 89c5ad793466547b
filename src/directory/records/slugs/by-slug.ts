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

/** How records of one kind are found by their slugs. `index` is that of the keys without regard to case. */
export function foundBySlug<Document>(
  records: Pick<RecordKind<Document>, 'byUnique'>,
  index: string,
  slugOf: (document: Document) => string,
) {
  return {
    /** The one with exactly this slug, its case included. */
    find(store: Store, slug: string): RecordEntry<Document> | undefined {
      const entry = records.byUnique(store, index, slugKey(slug));
      return entry !== undefined && slugOf(entry.document) === slug ? entry : records.byUnique(store, EXACT, slug);
    },
    /** The one that stands in the way of another with this slug, whichever case it is in. */
    rival(store: Store, slug: string): RecordEntry<Document> | undefined {
      return records.byUnique(store, index, slugKey(slug)) ?? records.byUnique(store, EXACT, slug);
    },
  };
}
