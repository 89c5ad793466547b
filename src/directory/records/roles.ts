import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { foundBySlug, slugKeys } from './slugs/by-slug.ts';

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

/** The role with exactly this slug, its case included; and the one that stands in the way of another with it. */
export const { find: findRole, rival: rivalRole } = foundBySlug(roleRecords, 'slug', ({ slug }) => slug);
