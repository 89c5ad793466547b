import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { type TaskEntry, taskStatuses } from '../../records/index.ts';
import { taskProblems } from '../decide/problems.ts';
import type { ElevationDependencies } from '../dependencies.ts';
import { addRequest, ownTask } from '../tasks/add-request.ts';
import { createTask } from '../tasks/create-task.ts';
import { taskStatus } from '../tasks/standing-tasks.ts';
import { addedScopeBody, newTaskBody } from '../tasks/task-input.ts';
import { approvalUrl } from '../told/notices.ts';
import { INTERVAL_S, pollProblems, requirePatience } from './poll-pace.ts';

const tags = ['Elevations'];
const access = 'authenticated';

const status = z.enum(taskStatuses);
const expiresIn = z.int().describe('Seconds: while it waits, in which it can be decided; then, for which it is lent');
const interval = z.int().describe('Seconds between two requests for its status');

const asked = z.strictObject({
  task_id: z.string(),
  status,
  approval_url: z.string().describe('Where a person decides'),
  expires_in: expiresIn,
  interval,
});

const added = z.strictObject({ request_id: z.string(), task_id: z.string(), scope: z.string(), status });

const standing = z.strictObject({
  task_id: z.string(),
  status,
  expires_in: expiresIn,
  interval: interval.optional(),
  approved_scopes: z.array(z.string()).optional(),
  approved_resources: z.array(z.string()).optional().describe('Absent: all'),
  approved_by: z.string().optional().describe('Id of the user whose rights are lent'),
  approved_at: z.iso.datetime().optional(),
  ended_at: z.iso.datetime().optional().describe('When what was lent was taken back, or was over'),
  reason: z.string().optional().describe('Why it was denied'),
});

/** `/jit`, in both families: agents ask for more than they have, and whether they have got it. */
export function jitEndpoints(dependencies: ElevationDependencies): Endpoint[] {
  return inBothFamilies((base) => [
    taskEndpoint(dependencies, base),
    requestEndpoint(dependencies, base),
    statusEndpoint(dependencies, base),
  ]);
}

function taskEndpoint(dependencies: ElevationDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/jit/task`,
    summary: 'Request permissions for a task',
    description:
      'For agents, with their key, a token of their own or one by a delegation. A user who holds the permissions lends ' +
      'them, or less; a rule of the organization can decide at once. What was lent is reached by token exchange.',
    tags,
    access,
    body: newTaskBody,
    responses: { 201: asked },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const task = await createTask(dependencies, caller, factsOf(call), body);
      const now = dependencies.clock.now();
      return json(201, {
        task_id: task.id,
        status: taskStatus(task, now),
        approval_url: approvalUrl(dependencies.baseUrl, caller.organization, task.id),
        expires_in: secondsLeft(task, now),
        interval: INTERVAL_S,
      });
    },
  });
}

function requestEndpoint(dependencies: ElevationDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/jit/request`,
    summary: 'Justify a permission for a waiting task, or add one',
    description: 'For the agent of the task. Whoever was looking at the task must look again.',
    tags,
    access,
    body: addedScopeBody,
    responses: { 201: added },
    errors: ['refused', taskProblems.task_settled, 'unavailable'],
    async handler(call) {
      const { id, task } = await addRequest(dependencies, call.caller, factsOf(call), call.body);
      const now = dependencies.clock.now();
      return json(201, {
        request_id: id,
        task_id: task.id,
        scope: call.body.scope,
        status: taskStatus(task, now),
      });
    },
  });
}

function statusEndpoint(dependencies: ElevationDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/jit/status/{task_id}`,
    summary: 'Get the status of a task',
    description:
      'For the agent of the task. While it waits, whoever asks earlier than `interval` says is answered `slow_down`, ' +
      'and waits five seconds longer each time.',
    tags,
    access,
    responses: { 200: standing },
    errors: [pollProblems.slow_down],
    handler({ caller, params }) {
      const { engine, clock } = dependencies;
      const task = engine.read(() => ownTask(caller, params.task_id));
      const now = clock.now();
      const current = taskStatus(task, now);
      const pace =
        current === 'pending' ? { interval: requirePatience(dependencies, task.id, task.document.expiresAt) } : {};
      return json(200, {
        task_id: task.id,
        status: current,
        expires_in: secondsLeft(task, now),
        ...pace,
        ...outcomeOf(task, now),
      });
    },
  });
}

function outcomeOf({ document: { decided, grant, ended, status: settled } }: TaskEntry, now: number) {
  if (settled === 'denied') return decided?.reason === undefined ? {} : { reason: decided.reason };
  if (grant === undefined) return {};
  const { lenderId, scopes, resources, until } = grant;
  const over = ended?.at ?? (now >= until ? until : undefined);
  return {
    approved_scopes: [...scopes],
    ...(resources === undefined ? {} : { approved_resources: [...resources] }),
    approved_by: lenderId,
    ...(decided === undefined ? {} : { approved_at: isoTime(decided.at) }),
    ...(over === undefined ? {} : { ended_at: isoTime(over) }),
  };
}

function secondsLeft({ document: { status: settled, expiresAt, grant, ended } }: TaskEntry, now: number): number {
  const until = ended !== undefined ? 0 : (grant?.until ?? (settled === 'pending' ? expiresAt : 0));
  return Math.max(0, Math.ceil((until - now) / 1000));
}
