import { setTimeout as pause } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { approvalUrl, isLent, ownTask, taskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { invalid } from '../../../kernel/transactions/index.ts';
import { equalSecrets, isoTime, type Sealer } from '../../../platform/index.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import { told } from './tool.ts';

type Telling = Pick<McpDependencies, 'engine' | 'clock' | 'baseUrl'>;

/** A task as its agent is told of it. */
export function taskFields({ engine, clock, baseUrl }: Telling, { organization }: Caller, { id, document }: TaskEntry) {
  const now = clock.now();
  const status = taskStatus({ document }, now);
  const { grant, scopes, resources } = document;
  const isActive = grant !== undefined && engine.read(() => isLent(organization.store, document, now));
  return {
    task_id: id,
    status,
    scopes: grant?.scopes ?? scopes,
    ...(resources === undefined ? {} : { resources: grant?.resources ?? resources }),
    ...(status === 'pending'
      ? { approval_url: approvalUrl(baseUrl, organization, id), expires_at: isoTime(document.expiresAt) }
      : {}),
    ...(grant === undefined ? {} : { active: isActive, ends_at: isoTime(grant.until) }),
    next: nextOf(status, isActive),
  };
}

/** One task. That nobody lent anything is an error for the model that asked. */
export function toldTask(dependencies: Telling, caller: Caller, task: TaskEntry): CallToolResult {
  const fields = taskFields(dependencies, caller, task);
  const isRefused = fields.status === 'denied' || fields.status === 'expired';
  return { ...told(fields), ...(isRefused ? { isError: true } : {}) };
}

function nextOf(status: string, isActive: boolean): string {
  if (status === 'pending')
    return 'Show the person approval_url, and ask list_elevations with task_id until they decide.';
  if (isActive) return 'Exchange the task for an access token: grant_type token-exchange with jit_task_id.';
  return 'Nothing is lent for this task.';
}

/** A client that comes back waits so long for the person, so that it need not come back at once. */
const WAIT_MS = 10_000;
const LOOK_MS = 500;
/** Requests of one thread that wait. Past that they are answered as things stand. */
const WAITING_MAX = 100;
let waiting = 0;

/**
 * A task of the caller, as soon as it is decided, and after a while as it stands.
 * @throws ProblemError 403, 404
 */
export async function decidedTask(
  { engine, clock }: McpDependencies,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<TaskEntry> {
  const look = (): TaskEntry => engine.read(() => ownTask(caller, id));
  const isDecided = (task: TaskEntry): boolean => taskStatus(task, clock.now()) !== 'pending';
  let task = look();
  if (isDecided(task) || waiting >= WAITING_MAX) return task;
  waiting++;
  try {
    for (let passed = 0; passed < WAIT_MS && !signal.aborted && !isDecided(task); passed += LOOK_MS) {
      await pause(LOOK_MS, undefined, { ref: false });
      task = look();
    }
  } finally {
    waiting--;
  }
  return task;
}

/**
 * What a client brings back while a person decides (`requestState`): the id of a task, and a MAC by which it is the
 * caller's own. The task is looked up as the caller's besides.
 */
export function stateOf(sealer: Pick<Sealer, 'mac'>, caller: Caller, taskId: string): string {
  return `${taskId}.${macOf(sealer, caller, taskId)}`;
}

/** The task, where the client brings one back. @throws ProblemError 400 where it was not made here for this caller */
export function taskOfState(sealer: Pick<Sealer, 'mac'>, caller: Caller, state: string | undefined) {
  if (state === undefined) return undefined;
  const [, taskId, mac] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(state) ?? [];
  const isOwn = taskId !== undefined && mac !== undefined && equalSecrets(mac, macOf(sealer, caller, taskId));
  if (!isOwn) throw invalid('requestState', 'was not issued to this caller');
  return taskId;
}

function macOf(sealer: Pick<Sealer, 'mac'>, { organization, actor, subject = '' }: Caller, taskId: string): string {
  return sealer.mac('elevation state', organization.id, actor ?? subject, taskId);
}
