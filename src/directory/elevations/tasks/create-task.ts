import { ProblemError, tooManyRequests } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  afterCommit,
  refused,
  type Transaction,
  transact,
} from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { type TaskEntry, type TaskRecord, taskRecords } from '../../records/index.ts';
import { requireScope } from '../decide/lendable.ts';
import type { ElevationDependencies } from '../dependencies.ts';
import { expireTask, OPEN_OF_AGENT_MAX } from '../end/end-tasks.ts';
import { applyRules } from '../rules/judge.ts';
import { elevationSettings } from '../settings/settings.ts';
import { auditOf } from '../told/audit.ts';
import { aboutTask, jitRequested } from '../told/events.ts';
import { sendNotices } from '../told/notices.ts';
import { askingAgent } from './asking-agent.ts';
import { taskStatus } from './standing-tasks.ts';
import type { NewTask } from './task-input.ts';

const SECONDS = 300;
/** Of one agent. */
const PENDING_MAX = 20;
/** Of one agent, however soon they are decided: each stays on record for a month. */
const MADE_MAX = 1000;
const MADE_WITHIN_MS = 3_600_000;
/** Of an organization, pending and lent together. */
const OPEN_MAX = 10_000;

/**
 * An agent asks for more than it has. It waits for a person, unless a rule of the organization decides by itself.
 * @throws ProblemError 403 where the caller is no agent; 400 where a scope is no permission; 422 where it is never lent,
 * the time is too long or too many tasks are open; 429 where it has asked too often
 */
export async function createTask(
  dependencies: ElevationDependencies,
  caller: Caller,
  facts: RequestFacts,
  body: NewTask,
): Promise<TaskEntry> {
  const id = await transact<string, AdminDependencies>(dependencies, caller, facts, (transaction) =>
    beginTask(transaction, body),
  );
  const task = afterCommit(dependencies, taskRecords, caller.organization.store, id, (entry) => entry);
  sendNotices(dependencies, caller.organization, task);
  return task;
}

/**
 * The same in a commit with something else. Whoever calls it sends the notices afterwards.
 * @param cause what the audit log tells of what led to it
 * @returns the id of the task
 */
export function beginTask(
  transaction: Transaction,
  body: NewTask,
  cause: Readonly<Record<string, string>> = {},
): string {
  const { store, now } = transaction;
  const { agent, delegation } = askingAgent(transaction);
  for (const [index, slug] of body.required_scopes.entries()) {
    requireScope(transaction, slug, `required_scopes[${index}]`);
  }
  const { pendingSeconds, maxSeconds } = elevationSettings(store);
  const seconds = body.duration ?? Math.min(SECONDS, maxSeconds);
  if (seconds > maxSeconds) throw refused(`An elevation lasts ${maxSeconds} s at most here.`, 'duration');
  requirePace(transaction, agent.id);
  requireRoom(transaction, agent.id);
  const document: TaskRecord = {
    agentId: agent.id,
    ...(delegation === undefined ? {} : { delegationId: delegation.id, approverId: delegation.userId }),
    description: body.task_description,
    scopes: body.required_scopes,
    justifications: [],
    ...(body.resources === undefined ? {} : { resources: body.resources }),
    seconds,
    status: 'pending',
    createdAt: now,
    expiresAt: now + pendingSeconds * 1000,
  };
  const entry: TaskEntry = { id: transaction.newId(), version: 0, document };
  transaction.put(taskRecords, entry.id, document);
  transaction.audit(auditOf('request', entry, { description: document.description.slice(0, 200), ...cause }));
  const { approverId = null, expiresAt } = document;
  transaction.emit(jitRequested.of({ ...aboutTask(entry), approver_id: approverId, expires_at: isoTime(expiresAt) }));
  applyRules(transaction, entry, agent);
  return entry.id;
}

/** @throws ProblemError 429 */
function requirePace({ store, now }: Transaction, agentId: string): void {
  const page = { skip: MADE_MAX - 1, limit: 1, descending: true };
  const [id] = taskRecords.index(store).ids('agent', agentId, page);
  const first = id === undefined ? undefined : taskRecords.get(store, id);
  const waitMs = first === undefined ? 0 : first.document.createdAt + MADE_WITHIN_MS - now;
  if (waitMs > 0) throw new ProblemError(tooManyRequests(Math.ceil(waitMs / 1000)));
}

/** Those that nobody has decided in time no longer take up room, whether or not the sweep has come by. */
function requireRoom(transaction: Transaction, agentId: string): void {
  const { store, now } = transaction;
  const index = taskRecords.index(store);
  let over = 0;
  for (const id of index.ids('#pendingOf', agentId, { limit: PENDING_MAX })) {
    const entry = taskRecords.get(store, id);
    if (entry === undefined || taskStatus(entry, now) === 'pending') continue;
    transaction.rely(taskRecords, entry);
    expireTask(transaction, entry, { by: 'system' });
    over++;
  }
  const bounds = [
    ['#pendingOf', agentId, PENDING_MAX, `An agent can wait for ${PENDING_MAX} tasks at once.`],
    ['#openOf', agentId, OPEN_OF_AGENT_MAX, `An agent can have ${OPEN_OF_AGENT_MAX} tasks open at once.`],
    ['#open', 'open', OPEN_MAX, `An organization can have ${OPEN_MAX} tasks open at once.`],
  ] as const;
  for (const [name, key, max, refusal] of bounds) {
    if (index.counted(name, key) - over >= max) throw refused(refusal);
    transaction.expect([taskRecords.fewerWith(store, [name, key], max + over)]);
  }
}
