import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { findBySlug, type Named, rivalBySlug, slugKeys } from './slugs/by-slug.ts';

/**
 * Roles of an organization. The engine's object is `role:{slug}`; slugs never change. What tuples made has any object id as
 * its slug. Times are in milliseconds.
 */
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
    /** A tuple has brought it, and its slug differs from another in case alone. */
    isVariant: z.literal(true).exactOptional(),
  }),
  unique: ({ slug, isVariant = false }) => slugKeys('slug', slug, isVariant),
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

const named: Named<RoleRecord> = { records: roleRecords, index: 'slug', slugOf: ({ slug }) => slug };

/** The role with exactly this slug, its case included. */
export function findRole(store: Store, slug: string): RoleEntry | undefined {
  return findBySlug(named, store, slug);
}

/** The role that stands in the way of another with this slug. */
export function rivalRole(store: Store, slug: string): RoleEntry | undefined {
  return rivalBySlug(named, store, slug);
}
