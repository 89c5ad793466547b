import type { Engine } from '#engine';
import { jsonText, type Problem, ProblemError, problemFromError, type Reply } from '../../http/index.ts';
import type { RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import {
  failureOf,
  permitted,
  problemOf,
  type QueryAnswer,
  type QueryRequest,
  type QueryTask,
  requestOf,
} from '../queries/index.ts';
import type { SystemPermission } from '../rights/index.ts';

/** A long write, as plain data. The thread of tasks performs it, so that it does not block an acceptor. */
export type Task = QueryTask;

/** What audit entries record about the request of a task. */
export interface TaskFacts {
  readonly requestId: string;
  readonly userAgent: string;
  readonly address: string;
}

export interface TaskRequest extends QueryRequest {
  readonly facts: TaskFacts;
  readonly task: Task;
}

export type TaskAnswer = QueryAnswer;

/** Hands tasks to the thread of tasks. */
export interface TaskQueue {
  /** @throws EngineError `unavailable` if the thread ends during the task, of which some commits may stand */
  run(request: TaskRequest): Promise<TaskAnswer>;
}

/** The request of a task, as its handler sees it. */
export interface TaskCall {
  readonly caller: Caller;
  readonly facts: RequestFacts;
}

/** Performs one kind of task. Each module lists its own; the thread of tasks gets all of them. */
export interface TaskHandler<T extends Task = never> {
  readonly kind: string;
  /** The permission that the endpoint requires, checked again before the task begins. `undefined`: none. */
  readonly permission: SystemPermission | undefined;
  /**
   * Performs the task in any number of turns and commits, and resolves to the body of the answer. It shares the thread
   * with tasks of other organizations, and is never retried: a commit stands even if the task fails later.
   * @throws ProblemError if the task is refused
   */
  readonly perform: (call: TaskCall, task: T) => Promise<unknown>;
}

/** The call of an endpoint that hands over a task. */
interface TaskingCall extends RequestFacts {
  readonly caller: Caller;
}

/**
 * Has a task performed by the thread of tasks, and replies with 200 and the body that its handler made.
 * @param contentType `application/json` if omitted
 */
export async function taskReply<T extends Task>(
  tasks: TaskQueue,
  call: TaskingCall,
  task: T,
  contentType?: string,
): Promise<Reply<never> | Problem> {
  const answer = await tasks.run(taskRequest(call, task));
  if (!answer.ok) return problemOf(answer);
  return jsonText(200, answer.text, contentType === undefined ? undefined : { contentType });
}

/** Has a task performed, and resolves to what its handler made. @throws ProblemError if the task is refused */
export async function taskAnswer<T extends Task>(tasks: TaskQueue, call: TaskingCall, task: T): Promise<unknown> {
  const answer = await tasks.run(taskRequest(call, task));
  if (!answer.ok) throw new ProblemError(problemOf(answer));
  return JSON.parse(answer.text);
}

function taskRequest<T extends Task>(call: TaskingCall, task: T): TaskRequest {
  return { ...requestOf(call.caller, task), facts: factsData(call), task };
}

function factsData(call: RequestFacts): TaskRequest['facts'] {
  return { requestId: call.requestId, userAgent: call.header('user-agent'), address: call.clientAddress() };
}

/** What the thread of tasks needs. */
export interface TaskServices {
  readonly engine: Engine;
  readonly handlers: ReadonlyMap<string, TaskHandler>;
  /** The caller, authenticated again in this thread; `undefined` if there is no such organization. */
  readonly identify: (request: QueryRequest) => Caller | undefined;
}

export function handlersByKind(handlers: readonly TaskHandler[]): ReadonlyMap<string, TaskHandler> {
  return new Map(handlers.map((handler) => [handler.kind, handler]));
}

/** Performs a task in this thread. A refusal is returned as an answer; other errors are thrown. */
export async function performTask(services: TaskServices, request: TaskRequest): Promise<TaskAnswer> {
  const { engine, handlers } = services;
  const { task } = request;
  // the table pairs each kind with its own task, which the type of a look-up cannot say
  const handler = handlers.get(task.kind) as TaskHandler<Task> | undefined;
  if (handler === undefined) throw new RangeError(`no handler for tasks of kind ${task.kind}`);
  try {
    const caller = engine.read(() => permitted(services, handler, request));
    return { ok: true, text: JSON.stringify(await handler.perform({ caller, facts: factsOf(request.facts) }, task)) };
  } catch (error) {
    const known = problemFromError(error);
    if (known === undefined) throw error;
    return failureOf(known);
  }
}

function factsOf({ requestId, userAgent, address }: TaskFacts): RequestFacts {
  return {
    requestId,
    header: (name) => (name === 'user-agent' ? userAgent : ''),
    clientAddress: () => address,
  };
}
