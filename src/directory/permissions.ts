import type { RecordEntry, RecordWrite, Store } from '#engine';
import { slugKey } from './roles.ts';

/** Collection of an organization's store. The engine's object is `permission:{slug}`; slugs never change. */
export const permissionCollection = 'permissions';

/** Times are milliseconds since the epoch. */
export interface PermissionRecord {
  readonly number: number;
  readonly slug: string;
  readonly name: string;
  readonly description?: string;
  /** By convention the two halves of `resource:action`. */
  readonly resource?: string;
  readonly action?: string;
  /** Grouping label of the tenant family. */
  readonly category?: string;
  readonly isSystem: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type PermissionEntry = RecordEntry<PermissionRecord>;

/** Integers are the ids that callers see; as keys they have one length, so that their order is that of the numbers. */
export function numberKey(number: number): string {
  return String(number).padStart(12, '0');
}

export function permissionWrite(document: PermissionRecord): RecordWrite {
  return {
    collection: permissionCollection,
    id: numberKey(document.number),
    document,
    unique: { slug: slugKey(document.slug) },
  };
}

export function getPermission(store: Store, number: number): PermissionEntry | undefined {
  return store.records.get<PermissionRecord>(permissionCollection, numberKey(number));
}

/** The permission with exactly this slug, its case included. */
export function findPermission(store: Store, slug: string): PermissionEntry | undefined {
  const entry = store.records.byUnique<PermissionRecord>(permissionCollection, 'slug', slugKey(slug));
  return entry?.document.slug === slug ? entry : undefined;
}
