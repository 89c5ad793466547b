import type { RecordEntry, RecordWrite, Store } from '#engine';

/** Collection of an organization's store. The engine's object is `role:{slug}`; slugs never change. */
export const roleCollection = 'roles';

/** Times are milliseconds since the epoch. */
export interface RoleRecord {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type RoleEntry = RecordEntry<RoleRecord>;

export function roleWrite(id: string, document: RoleRecord): RecordWrite {
  return { collection: roleCollection, id, document, unique: { slug: slugKey(document.slug) } };
}

/** Under which a slug is unique: two that differ in case alone are one. */
export function slugKey(slug: string): string {
  return slug.toLowerCase();
}

export function roleObject(slug: string): string {
  return `role:${slug}`;
}

export function roleAssignees(slug: string): string {
  return `role:${slug}#assignee`;
}

export function getRole(store: Store, id: string): RoleEntry | undefined {
  return store.records.get<RoleRecord>(roleCollection, id);
}

/** The role with exactly this slug, its case included. */
export function findRole(store: Store, slug: string): RoleEntry | undefined {
  const entry = store.records.byUnique<RoleRecord>(roleCollection, 'slug', slugKey(slug));
  return entry?.document.slug === slug ? entry : undefined;
}
