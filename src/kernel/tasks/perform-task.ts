import type { Engine } from '#engine';
import { ProblemError, problem, problemFromError } from '../../http/index.ts';
import type { RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import { failureOf, type QueryRequest } from '../queries/index.ts';
import { requirePermission } from '../transactions/index.ts';
import type { Task, TaskAnswer, TaskFacts, TaskHandler, TaskRequest } from './task-handler.ts';

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
  const { engine, handlers, identify } = services;
  const { task } = request;
  // the table pairs each kind with its own task, which the type of a look-up cannot say
  const handler = handlers.get(task.kind) as TaskHandler<Task> | undefined;
  if (handler === undefined) throw new RangeError(`no handler for tasks of kind ${task.kind}`);
  const { permission } = handler;
  try {
    const caller = engine.read(() => {
      const found = identify(request);
      if (found === undefined) throw new ProblemError(problem('not_found', 'This organization no longer exists.'));
      if (permission !== undefined) requirePermission(found, permission);
      return found;
    });
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
