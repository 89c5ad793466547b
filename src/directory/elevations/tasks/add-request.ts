import { shown } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  afterCommit,
  notFound,
  refused,
  transact,
} from '../../../kernel/transactions/index.ts';
import { agentRecords, type TaskEntry, taskRecords } from '../../records/index.ts';
import { requireWaiting } from '../decide/decide-task.ts';
import { requireScope } from '../decide/lendable.ts';
import { applyRules } from '../rules/judge.ts';
import { auditOf } from '../told/audit.ts';
import { agentIdOf, askingAgent } from './asking-agent.ts';
import { type AddedScope, SCOPES_MAX } from './task-input.ts';

/** A scope that an agent has justified, and the task as it stands then. */
export interface AddedRequest {
  readonly id: string;
  readonly task: TaskEntry;
}

/**
 * An agent says why it needs a scope for its pending task, and adds the scope where the task has not got it. Whoever
 * looks at the task must look again.
 * @throws ProblemError 404 where the task is not the agent's; 409 where it does not wait any more; 400, 422
 */
export async function addRequest(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  { task_id, scope, justification: text }: AddedScope,
): Promise<AddedRequest> {
  const id = await transact(dependencies, caller, facts, (transaction) => {
    const entry = transaction.get(taskRecords, task_id);
    // the task stands in the body, so the path cannot say what is missing
    if (entry?.document.agentId !== agentIdOf(caller)) throw notFound(`There is no task ${shown(task_id)}.`);
    const { agent } = askingAgent(transaction);
    requireWaiting(entry, transaction.now);
    requireScope(transaction, scope, 'scope');
    const { scopes, justifications } = entry.document;
    const isNew = !scopes.includes(scope);
    if (isNew && scopes.length >= SCOPES_MAX) throw refused(`A task can ask for ${SCOPES_MAX} scopes.`, 'scope');
    const requestId = transaction.newId();
    const document = {
      ...entry.document,
      scopes: isNew ? [...scopes, scope] : scopes,
      justifications: [
        ...justifications.filter((each) => each.scope !== scope),
        { id: requestId, scope, text, at: transaction.now },
      ],
    };
    const changed = { ...entry, document };
    transaction.put(taskRecords, entry.id, document);
    transaction.audit(auditOf('add_scope', changed, { scope, isNew }));
    if (isNew) applyRules(transaction, changed, agent);
    return requestId;
  });
  const task = afterCommit(dependencies, taskRecords, caller.organization.store, task_id, (entry) => entry);
  return { id, task };
}

/** A task of the agent that asks. To be called inside `Engine.read`. @throws ProblemError 403; 404 for any other */
export function ownTask(caller: Caller, id: string): TaskEntry {
  const agentId = agentIdOf(caller);
  const entry = taskRecords.get(caller.organization.store, id);
  if (entry?.document.agentId !== agentId || agentRecords.get(caller.organization.store, agentId) === undefined) {
    throw notFound();
  }
  return entry;
}
