import { cancelTask, ownTask, taskProblems, taskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import { type Endpoint, endpointFor, json, ProblemError, withHeaders } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { invalid } from '../../../kernel/transactions/index.ts';
import { paths, taskUrl } from '../addresses.ts';
import { cancellationSchema, requestSchema } from '../bodies.ts';
import { type AuthZenDependencies, tags } from '../dependencies.ts';
import { approvalState } from '../signed/approval-state.ts';
import { requestProblem, requestProblems } from './request-problems.ts';
import { submitRequest } from './submit-request.ts';
import { taskAnswer, taskAnswerSchema } from './task-answer.ts';

const endpoint = endpointFor<Caller>();
const KEY_MAX = 256;
const POLL_S = 5;

/** Asking for what an evaluation has denied (Access Request and Approval Profile), in both families. */
export function requestEndpoints(dependencies: AuthZenDependencies): Endpoint[] {
  return inBothFamilies((base) => [
    submission(dependencies, base),
    status(dependencies, base),
    cancellation(dependencies, base),
  ]);
}

function submission(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}${paths.requests}`,
    summary: 'Request access that was denied',
    description:
      'Agents ask, for themselves or for the user who has delegated to them, with the `denial` as the evaluation gave it. ' +
      'The task is the same as one of `POST /jit/task`. An `Idempotency-Key` makes a repeated request find its task.',
    tags,
    access: 'authenticated',
    body: requestSchema,
    responses: { 201: taskAnswerSchema, 202: taskAnswerSchema },
    errors: [
      requestProblems.not_requestable,
      requestProblems.invalid_denial_binding,
      requestProblems.expired_denial,
      requestProblems.duplicate_request,
      'refused',
      'unavailable',
    ],
    async handler(call) {
      const { caller, body } = call;
      const key = keyOf(call.header('idempotency-key'));
      const entry = await submitRequest(dependencies, caller, factsOf(call), { body, key });
      const { answer, statusUrl } = await shown(dependencies, caller, base, entry);
      return withHeaders(json(answer.task.status === 'pending' ? 202 : 201, answer), { location: statusUrl });
    },
  });
}

function status(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}${paths.requests}/{taskId}`,
    summary: 'Get an access request',
    description: 'Of the agent that asked. An approval is no grant: evaluate again, with `approval` in the context.',
    tags,
    access: 'authenticated',
    responses: { 200: taskAnswerSchema },
    errors: [requestProblems.unknown_task],
    async handler({ caller, params }) {
      const entry = dependencies.engine.read(() => taskOfCaller(caller, params.taskId));
      const { answer } = await shown(dependencies, caller, base, entry);
      const reply = json(200, answer);
      return answer.task.status === 'pending' ? withHeaders(reply, { 'retry-after': String(POLL_S) }) : reply;
    },
  });
}

function cancellation(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}${paths.requests}/{taskId}/cancel`,
    summary: 'Give up an access request',
    description: 'For the agent that asked, while nobody has decided.',
    tags,
    access: 'authenticated',
    body: cancellationSchema.default({}),
    bodyOptional: true,
    responses: { 200: taskAnswerSchema },
    errors: [requestProblems.unknown_task, requestProblems.invalid_task_state, 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const { reason, comment } = body;
      const note = [reason, comment].filter((each) => each !== undefined).join(': ');
      try {
        const entry = await cancelTask(dependencies, caller, factsOf(call), params.taskId, note || undefined);
        return json(200, (await shown(dependencies, caller, base, entry)).answer);
      } catch (error) {
        throw isProblem(error, [taskProblems.task_settled.status])
          ? requestProblem(requestProblems.invalid_task_state, 'It does not wait any more.')
          : unknownTask(error);
      }
    },
  });
}

/** A task of the agent that asks: to anybody else there is none. To be called inside `Engine.read`. */
function taskOfCaller(caller: Caller, id: string): TaskEntry {
  try {
    return ownTask(caller, id);
  } catch (error) {
    throw unknownTask(error);
  }
}

/** The same refusal for somebody else's task and for none; other errors stay as they are. */
function unknownTask(error: unknown): unknown {
  return isProblem(error, [403, 404])
    ? requestProblem(requestProblems.unknown_task, 'No task of yours has this id.')
    : error;
}

function isProblem(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof ProblemError && statuses.includes(error.problem.kind.status);
}

async function shown(dependencies: AuthZenDependencies, { organization }: Caller, base: FamilyBase, entry: TaskEntry) {
  const { baseUrl, clock } = dependencies;
  const statusUrl = taskUrl(baseUrl, base, organization.slug, entry.id);
  const state = await approvalState(dependencies, organization, entry);
  const answer = taskAnswer(entry, taskStatus(entry, clock.now()), { statusUrl, baseUrl, organization, state });
  return { answer, statusUrl };
}

/** @throws ProblemError 400 */
function keyOf(text: string): string | undefined {
  if (text === '') return undefined;
  if (text.length <= KEY_MAX) return text;
  throw invalid('header.Idempotency-Key', `must have at most ${KEY_MAX} characters`);
}
