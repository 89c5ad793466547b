import { z } from 'zod';
import type { Change, Store } from '#engine';
import { defineRecord } from '../../kernel/records/index.ts';

/**
 * Marks of what has been brought up to date. Tuples can be older than records, or imported without them: one mark says
 * that every role, group and permission that tuples name has its record; the service makes those that are missing when it
 * starts and finds no mark. Another says that every group is found by its display name.
 */
export const adoptionRecords = defineRecord({
  collection: 'upgrades',
  holds: 'a mark that all roles, groups and permissions that tuples name have records',
  /** In milliseconds. */
  schema: z.strictObject({ adoptedAt: z.number() }),
});

const id = 'directory';
const groupNamesId = 'group-names';

export function markAdopted(at: Pick<Store, 'name'>, now: number): Change {
  return adoptionRecords.put(at, id, { adoptedAt: now });
}

export function isAdopted(store: Store): boolean {
  return adoptionRecords.get(store, id) !== undefined;
}

/** For who writes tuples without records. */
export function forgetAdoption(at: Pick<Store, 'name'>): Change {
  return adoptionRecords.delete(at, id);
}

export function areGroupNamesIndexed(store: Store): boolean {
  return adoptionRecords.get(store, groupNamesId) !== undefined;
}

export function markGroupNamesIndexed(at: Pick<Store, 'name'>, now: number): Change {
  return adoptionRecords.put(at, groupNamesId, { adoptedAt: now });
}
