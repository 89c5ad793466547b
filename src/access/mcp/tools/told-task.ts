import type { CallToolResult } from '@modelcontextprotocol/server';
import { approvalUrl, isLent, taskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
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
