import type { Transaction } from '../../../kernel/transactions/index.ts';
import { type TaskEntry, taskRecords } from '../../records/index.ts';
import { expireTask, revokeLoan } from './end-elevation.ts';

/** Of one agent, pending and lent together: all of them can end in one commit. */
export const OPEN_OF_AGENT_MAX = 1000;

/**
 * Ends all that an agent waits for and has been lent: to be called where the agent is deactivated or deleted, or has
 * other credentials.
 */
export function closeTasksOf(transaction: Transaction, agentId: string, reason: string): void {
  const { caller, now } = transaction;
  for (const entry of openTasksOf(transaction, agentId)) {
    const { status, grant } = entry.document;
    transaction.rely(taskRecords, entry);
    if (status === 'pending') expireTask(transaction, entry, { by: caller.subject ?? 'platform', reason });
    // what is over already is settled by the sweep
    else if (grant !== undefined && now < grant.until) revokeLoan(transaction, entry, reason);
  }
}

function openTasksOf({ store }: Transaction, agentId: string): TaskEntry[] {
  const ids = taskRecords.index(store).ids('#openOf', agentId, { limit: OPEN_OF_AGENT_MAX });
  return ids.map((id) => taskRecords.get(store, id)).filter((entry): entry is TaskEntry => entry !== undefined);
}
