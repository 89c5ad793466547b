import type { Store } from '#engine';
import {
  agentRecords,
  countsNow,
  getUser,
  type TaskEntry,
  type TaskRecord,
  type taskStatuses,
} from '../../records/index.ts';

export type TaskStatus = (typeof taskStatuses)[number];

/** The status that a task has by the clock, before anything has put that on record. */
export function taskStatus({ document: { status, expiresAt } }: Pick<TaskEntry, 'document'>, now: number): TaskStatus {
  return status === 'pending' && now >= expiresAt ? 'expired' : status;
}

/**
 * Whether what was lent still counts: neither ended nor over, lent by somebody who is there, to an agent that is active.
 * Whether the lender still holds it is decided with each request. To be called inside `Engine.read`.
 */
export function isLent(store: Store, { agentId, grant, ended }: TaskRecord, now: number): boolean {
  if (grant === undefined || ended !== undefined || now >= grant.until) return false;
  const lender = getUser(store, grant.lenderId);
  return lender !== undefined && countsNow(lender.document) && isActiveAgent(store, agentId);
}

export function isActiveAgent(store: Store, agentId: string): boolean {
  return agentRecords.get(store, agentId)?.document.isActive === true;
}
