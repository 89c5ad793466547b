import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord, type Keys } from '../../kernel/records/index.ts';
import { foundBySlug, slugKey, slugKeys } from './slugs/by-slug.ts';

/**
 * Groups of an organization. The engine's object is `group:{name}`; names never change. What tuples made has any object id
 * as its name. Times are in milliseconds.
 */
export const groupRecords = defineRecord({
  collection: 'groups',
  holds: 'a group; who is in it is in tuples',
  schema: z.strictObject({
    /** The slug. */
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** The id that a provisioning client has given the group. */
    externalId: z.string().exactOptional(),
    /** Its display name is then that of no other such group. */
    isProvisioned: z.literal(true).exactOptional(),
    /** A tuple has brought it, and its name differs from another in case alone. */
    isVariant: z.literal(true).exactOptional(),
  }),
  indexes: ({ displayName, externalId }): Keys => ({
    displayName: slugKey(displayName),
    ...(externalId === undefined ? {} : { externalId }),
  }),
  unique: ({ name, displayName, isProvisioned, isVariant = false }): Keys => ({
    ...slugKeys('name', name, isVariant),
    ...(isProvisioned === undefined ? {} : { provisionedName: slugKey(displayName) }),
  }),
  exported: (document) => document,
});

export type GroupRecord = DocumentOf<typeof groupRecords>;
export type GroupEntry = RecordEntry<GroupRecord>;

export function groupObject(name: string): string {
  return `group:${name}`;
}

export function groupMembers(name: string): string {
  return `group:${name}#member`;
}

/** The group with exactly this name, its case included; and the one that stands in the way of another with it. */
export const { find: findGroup, rival: rivalGroup } = foundBySlug(groupRecords, 'name', ({ name }) => name);
