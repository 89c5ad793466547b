import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import {
  activeUser,
  anyApprover,
  getUser,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
  userSubject,
} from '../../records/index.ts';
import { isActiveAgent, taskStatus } from '../tasks/standing-tasks.ts';
import { firstNotLendable, type LendingQuestion } from './lendable.ts';

type Asked = Pick<TaskRecord, 'approverId' | 'scopes' | 'resources'>;

/**
 * Whether a user is one who decides a task: the user who delegated to the agent, alone, or whoever holds `jit.approve` and
 * every scope that is asked for. Says nothing of whether the task still waits. To be called inside `Engine.read`.
 */
export function mayDecide(
  { rights }: Pick<AdminDependencies, 'rights'>,
  organization: Organization,
  userId: string,
  { document }: { readonly document: Asked },
  now: number,
): boolean {
  const { approverId, scopes, resources } = document;
  if (approverId !== undefined) return approverId === userId;
  const question = { organization, rights, userId, now };
  return isApprover(question) && firstNotLendable(question, scopes, resources) === undefined;
}

function isApprover({ organization, rights, userId, now }: LendingQuestion): boolean {
  return rights.holds(organization, userSubject(userId), 'jit.approve', now) !== 'no';
}

export interface WaitingTasks {
  /** Newest first. */
  readonly tasks: readonly TaskEntry[];
  /** Whether there may be others. */
  readonly hasMore: boolean;
}

/** Tasks of others that are looked at for one page. */
const LOOKED_MAX = 500;
/** Tasks of one page. */
const PAGE_MAX = 100;

/** Tasks that a user can decide now. To be called inside `Engine.read`. */
export function pendingFor(
  { rights, clock }: Pick<AdminDependencies, 'rights' | 'clock'>,
  organization: Organization,
  userId: string,
  { limit }: { readonly limit: number },
): WaitingTasks {
  const now = clock.now();
  const question: LendingQuestion = { organization, rights, userId, now };
  const own = newest(question, userId);
  const others = isApprover(question) ? newest(question, anyApprover) : [];
  const known = new Map<string, boolean>();
  const isLendable = ({ document: { scopes, resources } }: TaskEntry): boolean => {
    const key = JSON.stringify([scopes, resources]);
    const found = known.get(key) ?? firstNotLendable(question, scopes, resources) === undefined;
    known.set(key, found);
    return found;
  };
  const all = [...own, ...others.filter(isLendable)].sort((left, right) => (left.id < right.id ? 1 : -1));
  const tasks = all.slice(0, Math.min(limit, PAGE_MAX));
  return { tasks, hasMore: all.length > tasks.length || [own, others].some(({ length }) => length >= LOOKED_MAX) };
}

function newest({ organization: { store }, now }: LendingQuestion, approver: string): TaskEntry[] {
  const ids = taskRecords.index(store).ids('#pending', approver, { limit: LOOKED_MAX, descending: true });
  return taskRecords
    .found(store, ids)
    .filter((entry) => taskStatus(entry, now) === 'pending' && isActiveAgent(store, entry.document.agentId));
}

/** A user who is signed in at a page, as a caller: with all that the user holds. To be called inside `Engine.read`. */
export function personCaller(
  { engine, rights, clock }: Pick<AdminDependencies, 'engine' | 'rights' | 'clock'>,
  organization: Organization,
  userId: string,
): Caller {
  const { store } = organization;
  const subject = userSubject(userId);
  return {
    organization,
    subject,
    seesRights: true,
    email: getUser(store, userId)?.document.email,
    may: (permission) => engine.read(() => rights.holds(organization, subject, permission, clock.now()) !== 'no'),
    isStillValid: () => engine.read(() => activeUser(store, userId) !== undefined),
  };
}
