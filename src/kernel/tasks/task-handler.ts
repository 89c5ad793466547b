import type { RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { QueryAnswer, QueryRequest, QueryTask } from '../queries/index.ts';
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
