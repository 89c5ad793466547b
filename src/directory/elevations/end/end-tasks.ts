import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  afterCommit,
  notFound,
  rightsEnded,
  type Transaction,
  transact,
} from '../../../kernel/transactions/index.ts';
import {
  agentSubject,
  elevationSubject,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
  userSubject,
} from '../../records/index.ts';
import { requireWaiting } from '../decide/decide-task.ts';
import { taskSettled } from '../decide/problems.ts';
import { askingAgent } from '../tasks/asking-agent.ts';
import { auditOf } from '../told/audit.ts';
import { aboutTask, jitExpired, jitRevoked, toldGrant } from '../told/events.ts';

/**
 * Takes back what was lent, at once: by its lender, by an administrator, or by the agent itself.
 * @throws ProblemError 404 for everybody else; 409 where nothing is lent (any more)
 */
export async function endElevation(
  dependencies: AdminDependencies,
  by: Caller,
  facts: RequestFacts,
  id: string,
  reason?: string,
): Promise<TaskEntry> {
  await transact(dependencies, by, facts, (transaction) => {
    const entry = transaction.existing(taskRecords, id);
    if (!mayEnd(by, entry.document)) throw notFound();
    const { grant, ended } = entry.document;
    if (grant === undefined || ended !== undefined || transaction.now >= grant.until) {
      throw taskSettled('Nothing is lent for this task now.');
    }
    revokeLoan(transaction, entry, reason);
  });
  return afterCommit(dependencies, taskRecords, by.organization.store, id, (task) => task);
}

/**
 * An agent acts for its lender with what was lent: that is the agent. Lenders end at their pages what they lent; that a
 * token is of the lender is no right of the application that has it.
 */
function mayEnd(caller: Caller, { agentId, grant }: TaskRecord): boolean {
  const { subject, actor, scopes } = caller;
  if ((actor ?? subject) === agentSubject(agentId)) return true;
  const isOneself = actor === undefined && scopes === undefined;
  if (grant !== undefined && isOneself && subject === userSubject(grant.lenderId)) return true;
  return caller.may('agents.manage');
}

/** The record, and every tuple of what was lent. The entry must have been read through the transaction. */
export function revokeLoan(transaction: Transaction, entry: TaskEntry, reason: string | undefined): void {
  const { caller, store } = transaction;
  const by = caller.subject ?? 'platform';
  const why = reason === undefined ? {} : { reason };
  const ended = close(transaction, entry, { by, ...why });
  transaction.deleteObject(elevationSubject(entry.id));
  // a request that was let in with what was lent, and is not yet committed, is judged again
  transaction.change([rightsEnded(store, elevationSubject(entry.id))]);
  transaction.audit(auditOf('revoke', ended, why));
  const { grant } = entry.document;
  if (grant !== undefined) {
    const told = { ...aboutTask(ended), lent: toldGrant(grant), revoked_by: by, reason: reason ?? null };
    transaction.emit(jitRevoked.of(told));
  }
}

/** A pending task that nobody will decide any more. */
export function expireTask(transaction: Transaction, entry: TaskEntry, why: { by: string; reason?: string }): void {
  const expired = close(transaction, { ...entry, document: { ...entry.document, status: 'expired' } }, why);
  transaction.audit(auditOf('expire', expired, why.reason === undefined ? {} : { reason: why.reason }));
  transaction.emit(jitExpired.of(aboutTask(expired)));
}

function close(
  transaction: Transaction,
  entry: TaskEntry,
  why: Omit<NonNullable<TaskRecord['ended']>, 'at'>,
): TaskEntry {
  const document = { ...entry.document, ended: { at: transaction.now, ...why } };
  transaction.put(taskRecords, entry.id, document);
  return { ...entry, document };
}

/**
 * An agent gives up what it has asked for and nobody has decided.
 * @throws ProblemError 403 where the caller is no agent that could ask; 404 where the task is not its own; 409 where it
 * does not wait any more
 */
export async function cancelTask(
  dependencies: AdminDependencies,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  reason?: string,
): Promise<TaskEntry> {
  await transact(dependencies, caller, facts, (transaction) => {
    const { agent } = askingAgent(transaction);
    const entry = transaction.existing(taskRecords, id);
    if (entry.document.agentId !== agent.id) throw notFound();
    requireWaiting(entry, transaction.now);
    const by = caller.actor ?? caller.subject ?? agent.id;
    expireTask(transaction, entry, reason === undefined ? { by } : { by, reason });
  });
  return afterCommit(dependencies, taskRecords, caller.organization.store, id, (task) => task);
}

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
  return taskRecords.found(store, ids);
}
