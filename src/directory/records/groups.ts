import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord, type Keys } from '../../kernel/records/index.ts';
import { slugKey } from './slug-key.ts';

/** Groups of an organization. The engine's object is `group:{name}`; names never change. Times are in milliseconds. */
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
  }),
  indexes: ({ displayName, externalId }): Keys => ({
    displayName: slugKey(displayName),
    ...(externalId === undefined ? {} : { externalId }),
  }),
  unique: ({ name, displayName, isProvisioned }): Keys => ({
    name: slugKey(name),
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

/** The group with exactly this name, its case included. */
export function findGroup(store: Store, name: string): GroupEntry | undefined {
  const entry = groupRecords.byUnique(store, 'name', slugKey(name));
  return entry?.document.name === name ? entry : undefined;
}
