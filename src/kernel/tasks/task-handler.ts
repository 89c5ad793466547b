import type { RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { QueryAnswer, QueryRequest, QueryTask } from '../queries/index.ts';
import type { SystemPermission } from '../rights/index.ts';

/** Something long that writes, as plain data. It runs in the thread of tasks, so that no acceptor waits for it. */
export type Task = QueryTask;

/** What audit entries tell of the request behind a task. */
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

/** The thread of tasks, as those see it who have work for it. */
export interface TaskQueue {
  /** @throws EngineError `unavailable` where its thread has ended meanwhile: a part of it may have been done */
  run(request: TaskRequest): Promise<TaskAnswer>;
}

/** Who wants a task done, as its handler sees it. */
export interface TaskCall {
  readonly caller: Caller;
  readonly facts: RequestFacts;
}

/** How one kind of task is done. Modules make these, and the thread of tasks is given all of them. */
export interface TaskHandler<T extends Task = never> {
  readonly kind: string;
  /** What the endpoint requires: decided again before the task begins. `undefined`: any caller. */
  readonly permission: SystemPermission | undefined;
  /**
   * Does it, over as many turns and commits as it takes, and answers the body of the answer. It shares its thread with
   * the tasks of other organizations, and is not repeated: each of its commits stands by itself.
   * @throws ProblemError where it is refused
   */
  readonly perform: (call: TaskCall, task: T) => Promise<unknown>;
}
