import type { Engine } from '#engine';
import { type Problem, ProblemError, problem, problemFromError } from '../../http/index.ts';
import type { Caller } from '../organizations/index.ts';
import {
  AnswerWithHeaders,
  type QueryAnswer,
  type QueryHandler,
  type QueryRequest,
  type QueryTask,
} from './query-handler.ts';

export interface QueryThread {
  readonly engine: Engine;
  readonly works: ReadonlyMap<string, QueryHandler>;
  /** Who asks, judged anew in this thread; `undefined` where there is no such organization. */
  readonly identify: (request: QueryRequest) => Caller | undefined;
}

/** Runs a task in this thread. Failures of the caller are answers; others are thrown. */
export async function answerQuery(thread: QueryThread, request: QueryRequest): Promise<QueryAnswer> {
  const { engine, works } = thread;
  // the table pairs each kind with its own task, which the type of a look-up cannot say
  const work = works.get(request.task.kind) as QueryHandler<QueryTask> | undefined;
  if (work === undefined) throw new RangeError(`nobody answers ${request.task.kind}`);
  try {
    if (work.prepare !== undefined)
      await work.prepare(
        engine.read(() => permitted(thread, work, request)),
        request.task,
      );
    const value = engine.read(() => work.answer(permitted(thread, work, request), request.task));
    return textOf(typeof value === 'function' ? value() : value);
  } catch (error) {
    const known = problemFromError(error);
    if (known === undefined) throw error;
    return failureOf(known);
  }
}

function textOf(value: unknown): QueryAnswer {
  if (!(value instanceof AnswerWithHeaders)) return { ok: true, text: JSON.stringify(value) };
  return { ok: true, text: JSON.stringify(value.body), headers: value.headers };
}

/** Who asks, judged anew. To be called inside `Engine.read`. @throws ProblemError 403, 404 */
export function permitted(
  { identify }: Pick<QueryThread, 'identify'>,
  { permission }: Pick<QueryHandler, 'permission'>,
  request: QueryRequest,
): Caller {
  const caller = identify(request);
  if (caller === undefined) throw new ProblemError(problem('not_found', 'This organization no longer exists.'));
  if (permission !== undefined && !caller.may(permission)) {
    throw new ProblemError(problem('forbidden', `This needs the permission ${permission}.`));
  }
  return caller;
}

export function failureOf({ kind, detail, options }: Problem): QueryAnswer {
  return { ok: false, kind, detail, options };
}
