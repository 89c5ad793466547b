import type { Change, RecordWrite, Store } from '#engine';

const collection = 'upgrades';
const id = 'directory';

/**
 * Tuples can be older than records, or imported without them. A mark says that every role, group and permission that
 * tuples name has its record; the service makes those that are missing when it starts and finds no mark.
 */
export function adoptionMark(now: number): RecordWrite {
  return { collection, id, document: { adoptedAt: now } };
}

export function isAdopted(store: Store): boolean {
  return store.records.get(collection, id) !== undefined;
}

/** For who writes tuples without records. */
export function forgetAdoption(store: string): Change {
  return { op: 'delete_record', store, collection, id };
}
