import { z } from 'zod';
import type { Change, RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { foundBySlug, slugKeys } from './slugs/by-slug.ts';

/**
 * Permissions of an organization, each with its number (`numberKey`) as id. The engine's object is
 * `permission:{slug}`; slugs never change. What tuples made has any object id as its slug. Times are in milliseconds.
 */
export const permissionRecords = defineRecord({
  collection: 'permissions',
  holds: 'a permission; who holds it is in tuples',
  schema: z.strictObject({
    number: z.int(),
    slug: z.string(),
    name: z.string(),
    description: z.string().exactOptional(),
    /** By convention the two halves of `resource:action`. */
    resource: z.string().exactOptional(),
    action: z.string().exactOptional(),
    /** Grouping label of the tenant family. */
    category: z.string().exactOptional(),
    isSystem: z.boolean(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** A tuple has brought it, and its slug differs from another in case alone. */
    isVariant: z.literal(true).exactOptional(),
  }),
  unique: ({ slug, isVariant = false }) => slugKeys('slug', slug, isVariant),
  exported: (document) => document,
});

export type PermissionRecord = DocumentOf<typeof permissionRecords>;
export type PermissionEntry = RecordEntry<PermissionRecord>;

/** Integers are the ids that callers see; as keys they have one length, so that their order is that of the numbers. */
export function numberKey(number: number): string {
  return String(number).padStart(12, '0');
}

export function getPermission(store: Store, number: number): PermissionEntry | undefined {
  return permissionRecords.get(store, numberKey(number));
}

/** The permission with exactly this slug, its case included; and the one that stands in the way of another with it. */
export const { find: findPermission, rival: rivalPermission } = foundBySlug(
  permissionRecords,
  'slug',
  ({ slug }) => slug,
);

export function putPermission(at: Pick<Store, 'name'>, document: PermissionRecord): Change {
  return permissionRecords.put(at, numberKey(document.number), document);
}
