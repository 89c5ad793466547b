import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, notFound, transact } from '../../../kernel/transactions/index.ts';
import { type TaskEntry, taskRecords } from '../../records/index.ts';
import { requireWaiting } from '../decide/decide-task.ts';
import { askingAgent } from '../tasks/asking-agent.ts';
import { expireTask } from './end-elevation.ts';

/**
 * An agent gives up what it has asked for and nobody has decided.
 * @throws ProblemError 403 where the caller is no agent that could ask; 404 where the task is not its own; 409 where it
 * does not wait any more
 */
export function cancelTask(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  reason?: string,
): Promise<TaskEntry> {
  return transact(dependencies, caller, facts, (transaction) => {
    const { agent } = askingAgent(transaction);
    const entry = transaction.existing(taskRecords, id);
    if (entry.document.agentId !== agent.id) throw notFound();
    requireWaiting(entry, transaction.now);
    const by = caller.actor ?? caller.subject ?? agent.id;
    return expireTask(transaction, entry, reason === undefined ? { by } : { by, reason });
  });
}
