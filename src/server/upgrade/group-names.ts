import type { Change, Store } from '#engine';
import { areGroupNamesIndexed, groupRecords, markGroupNamesIndexed } from '../../directory/records/index.ts';

/** Groups made before they were found by their display name: written anew, once. To be called inside a snapshot. */
export function groupNameKeys(store: Store, now: number): Change[] {
  if (areGroupNamesIndexed(store)) return [];
  const groups = [...groupRecords.all(store)];
  return [
    ...groups.map(({ id, document }) => groupRecords.put(store, id, document)),
    markGroupNamesIndexed(store, now),
  ];
}
