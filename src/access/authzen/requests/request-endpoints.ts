import { ownTask, taskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import { type Endpoint, endpointFor, invalidRequest, json, ProblemError, withHeaders } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { paths, taskUrl } from '../addresses.ts';
import { requestSchema } from '../bodies.ts';
import { type AuthZenDependencies, tags } from '../dependencies.ts';
import { requestProblem, requestProblems } from './request-problems.ts';
import { submitRequest } from './submit-request.ts';
import { taskAnswer, taskAnswerSchema } from './task-answer.ts';

const endpoint = endpointFor<Caller>();
const KEY_MAX = 256;
const POLL_S = 5;

/** Asking for what an evaluation has denied (Access Request and Approval Profile), in both families. */
export function requestEndpoints(dependencies: AuthZenDependencies): Endpoint[] {
  return inBothFamilies((base) => [submission(dependencies, base), status(dependencies, base)]);
}

function submission(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}${paths.requests}`,
    summary: 'Ask for what was denied',
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
      const { answer, statusUrl } = shown(dependencies, caller, base, entry);
      return withHeaders(json(answer.task.status === 'pending' ? 202 : 201, answer), { location: statusUrl });
    },
  });
}

function status(dependencies: AuthZenDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}${paths.requests}/{taskId}`,
    summary: 'What became of an access request',
    description: 'Of the agent that asked. An approval is no grant: evaluate again, with `approval` in the context.',
    tags,
    access: 'authenticated',
    responses: { 200: taskAnswerSchema },
    errors: [requestProblems.unknown_task],
    handler({ caller, params }) {
      const entry = dependencies.engine.read(() => taskOfCaller(caller, params.taskId));
      const { answer } = shown(dependencies, caller, base, entry);
      const reply = json(200, answer);
      return answer.task.status === 'pending' ? withHeaders(reply, { 'retry-after': String(POLL_S) }) : reply;
    },
  });
}

/** A task of the agent that asks: to anybody else there is none. To be called inside `Engine.read`. */
function taskOfCaller(caller: Caller, id: string): TaskEntry {
  try {
    return ownTask(caller, id);
  } catch (error) {
    const status = error instanceof ProblemError ? error.problem.kind.status : undefined;
    if (status === 403 || status === 404) throw requestProblem(requestProblems.unknown_task);
    throw error;
  }
}

function shown({ baseUrl, clock }: AuthZenDependencies, { organization }: Caller, base: FamilyBase, entry: TaskEntry) {
  const statusUrl = taskUrl(baseUrl, base, organization.slug, entry.id);
  const answer = taskAnswer(entry, taskStatus(entry, clock.now()), { statusUrl, baseUrl, organization });
  return { answer, statusUrl };
}

/** @throws ProblemError 400 */
function keyOf(text: string): string | undefined {
  if (text === '') return undefined;
  if (text.length <= KEY_MAX) return text;
  throw new ProblemError(
    invalidRequest([{ path: 'header.Idempotency-Key', message: `must have at most ${KEY_MAX} characters` }]),
  );
}
