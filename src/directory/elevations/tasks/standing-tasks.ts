import type { Store } from '#engine';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  activeUser,
  agentRecords,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
  type taskStatuses,
} from '../../records/index.ts';
import { agentIdOf } from './asking-agent.ts';

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
  return activeUser(store, grant.lenderId) !== undefined && isActiveAgent(store, agentId);
}

export function isActiveAgent(store: Store, agentId: string): boolean {
  return agentRecords.get(store, agentId)?.document.isActive === true;
}

const LENT_MAX = 200;

/** What a user has lent that counts now, newest first. To be called inside `Engine.read`. */
export function activeFor(store: Store, userId: string, now: number): TaskEntry[] {
  const ids = taskRecords.index(store).ids('lender', userId, { limit: LENT_MAX, descending: true });
  return taskRecords.found(store, ids).filter(({ document }) => isLent(store, document, now));
}

const OPEN_MAX = 100;

/**
 * Tasks of the agent that asks which wait for a decision, or for which something is lent, newest first. To be called
 * inside `Engine.read`.
 * @throws ProblemError 403 where the caller is no agent
 */
export function ownTasks(caller: Caller): TaskEntry[] {
  const { store } = caller.organization;
  const ids = taskRecords.index(store).ids('#openOf', agentIdOf(caller), { limit: OPEN_MAX, descending: true });
  return taskRecords.found(store, ids);
}
