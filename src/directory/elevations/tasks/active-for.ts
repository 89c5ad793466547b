import type { Store } from '#engine';
import { type TaskEntry, taskRecords } from '../../records/index.ts';
import { isLent } from './task-status.ts';

const SHOWN_MAX = 200;

/** What a user has lent that counts now, newest first. To be called inside `Engine.read`. */
export function activeFor(store: Store, userId: string, now: number): TaskEntry[] {
  const ids = taskRecords.index(store).ids('lender', userId, { limit: SHOWN_MAX, descending: true });
  return ids
    .map((id) => taskRecords.get(store, id))
    .filter((entry): entry is TaskEntry => entry !== undefined && isLent(store, entry.document, now));
}
