import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  forbidden,
  invalid,
  refused,
  type Transaction,
  transact,
} from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { agentRecords, type TaskEntry, taskRecords } from '../../records/index.ts';
import { isActiveAgent, taskStatus } from '../tasks/standing-tasks.ts';
import { taskView } from '../tasks/task-view.ts';
import { lend, refuse } from './lend.ts';
import { firstNotLendable, type LendingQuestion } from './lendable.ts';
import { mayDecide, personCaller } from './may-decide.ts';
import { taskChanged, taskSettled } from './problems.ts';

interface Answer {
  /** `TaskView.digest` of what the user was shown. */
  readonly digest: string;
}

export interface Approval extends Answer {
  /** Of those that were asked for, one at least. */
  readonly scopes: readonly string[];
  /** Of those that were asked for; where all were, any. Those that were asked for where omitted. */
  readonly resources?: readonly string[] | undefined;
  /** No more than was asked for. */
  readonly seconds: number;
}

export interface Denial extends Answer {
  readonly reason?: string | undefined;
}

/**
 * A user lends an agent what it asked for, or less. The clock of what is lent starts here.
 * @throws ProblemError 403 where the user does not decide this task, or does not hold a scope; 404; 409 where it does not
 * wait any more, or has changed since it was shown; 400 and 422 where it would be more than was asked for
 */
export function approveTask(
  dependencies: AdminDependencies,
  organization: Organization,
  userId: string,
  facts: RequestFacts,
  id: string,
  approval: Approval,
): Promise<void> {
  return decided(dependencies, organization, userId, facts, id, approval, (transaction, entry, question) => {
    const { scopes, seconds } = approval;
    const resources = approval.resources ?? entry.document.resources;
    requireNoMore(entry, { scopes, seconds, resources });
    const lacking = firstNotLendable(question, scopes, resources);
    if (lacking !== undefined) throw forbidden(said('refusals.notHeld', { permission: lacking }));
    const loan = { lenderId: userId, scopes: [...scopes], resources: resources && [...resources], seconds };
    lend(transaction, entry, { by: userId, byType: 'user' }, loan);
  });
}

/** @throws ProblemError 403, 404 and 409 as `approveTask` */
export function denyTask(
  dependencies: AdminDependencies,
  organization: Organization,
  userId: string,
  facts: RequestFacts,
  id: string,
  denial: Denial,
): Promise<void> {
  return decided(dependencies, organization, userId, facts, id, denial, (transaction, entry) => {
    refuse(transaction, entry, { by: userId, byType: 'user' }, denial.reason);
  });
}

type Decide = (transaction: Transaction, entry: TaskEntry, question: LendingQuestion) => void;

/** Of two who decide at once the second finds the task settled: both rely on the record as it was. */
function decided(
  dependencies: AdminDependencies,
  organization: Organization,
  userId: string,
  facts: RequestFacts,
  id: string,
  { digest }: Answer,
  decide: Decide,
): Promise<void> {
  const { rights } = dependencies;
  const person = dependencies.engine.read(() => personCaller(dependencies, organization, userId));
  return transact(dependencies, person, facts, (transaction) => {
    const { store, now } = transaction;
    const entry = transaction.existing(taskRecords, id);
    if (!mayDecide(dependencies, organization, userId, entry, now)) throw forbidden(said('refusals.notDeciding'));
    requireWaiting(entry, now);
    if (!isActiveAgent(store, entry.document.agentId)) throw taskSettled('The agent is not active any more.');
    transaction.rely(agentRecords, agentRecords.get(store, entry.document.agentId));
    if (taskView(store, entry, now).digest !== digest) throw taskChanged();
    decide(transaction, entry, { organization, rights, userId, now });
  });
}

/** @throws ProblemError 409 */
export function requireWaiting(entry: TaskEntry, now: number): void {
  const status = taskStatus(entry, now);
  if (status === 'pending') return;
  throw taskSettled(status === 'expired' ? 'Nobody has decided the task in time.' : `The task was ${status} already.`);
}

type Wanted = Pick<Approval, 'scopes' | 'resources' | 'seconds'>;

function requireNoMore({ document: asked }: TaskEntry, { scopes, resources, seconds }: Wanted): void {
  if (scopes.length === 0) throw invalid('scopes', 'must not be empty');
  if (new Set(scopes).size !== scopes.length) throw invalid('scopes', 'must not contain duplicates');
  const more = scopes.find((slug) => !asked.scopes.includes(slug));
  if (more !== undefined) throw refused(`The agent has not asked for ${more}.`, 'scopes');
  if (!Number.isInteger(seconds) || seconds < 1) throw invalid('seconds', 'must be a whole number of at least 1');
  if (seconds > asked.seconds) throw refused(`The agent has asked for ${asked.seconds} s at most.`, 'seconds');
  if (resources === undefined) return;
  if (resources.length === 0) throw invalid('resources', 'must not be empty');
  const other = resources.find((each) => asked.resources?.includes(each) === false);
  if (other !== undefined) throw refused(`The agent has not asked for ${other}.`, 'resources');
}
