import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { slugKey } from './slug-key.ts';

/** Roles of an organization. The engine's object is `role:{slug}`; slugs never change. Times are in milliseconds. */
export const roleRecords = defineRecord({
  collection: 'roles',
  holds: 'a role; who has it is in tuples',
  schema: z.strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    isSystem: z.boolean(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  unique: ({ slug }) => ({ slug: slugKey(slug) }),
  exported: (document) => document,
});

export type RoleRecord = DocumentOf<typeof roleRecords>;
export type RoleEntry = RecordEntry<RoleRecord>;

export function roleObject(slug: string): string {
  return `role:${slug}`;
}

export function roleAssignees(slug: string): string {
  return `role:${slug}#assignee`;
}

/** The role with exactly this slug, its case included. */
export function findRole(store: Store, slug: string): RoleEntry | undefined {
  const entry = roleRecords.byUnique(store, 'slug', slugKey(slug));
  return entry?.document.slug === slug ? entry : undefined;
}
