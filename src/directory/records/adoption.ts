import { z } from 'zod';
import type { Change, Store } from '#engine';
import { defineRecord } from '../../kernel/records/index.ts';

/**
 * Marks of what has been brought up to date. Tuples can be older than records, or imported without them: one mark says
 * that every role, group and permission that tuples name has its record; the service makes those that are missing when it
 * starts and finds no mark. Another says that every group is found by its display name. A third one says which release's
 * system model, role and permissions are all there, so that a start need not look for each of them.
 */
export const adoptionRecords = defineRecord({
  collection: 'upgrades',
  holds: 'marks of what has been brought up to date',
  schema: z.strictObject({
    /** In milliseconds. */
    adoptedAt: z.number(),
    /** What the system brings in a release, as a digest: `systemDigest`. */
    system: z.string().exactOptional(),
    /** With which version of the organization's system model: an earlier release may have written its own since. */
    systemModelId: z.string().exactOptional(),
  }),
});

const id = 'directory';
const groupNamesId = 'group-names';
const systemId = 'system';

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

/** Whether all that the system brings in this release is there. */
export function hasSystem(store: Store, system: string, systemModelId: string): boolean {
  const mark = adoptionRecords.get(store, systemId)?.document;
  return mark?.system === system && mark.systemModelId === systemModelId;
}

export function markSystem(at: Pick<Store, 'name'>, system: string, systemModelId: string, now: number): Change {
  return adoptionRecords.put(at, systemId, { adoptedAt: now, system, systemModelId });
}
