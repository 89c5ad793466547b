import { jsonText, type Problem, ProblemError, type Reply } from '../../http/index.ts';
import type { RequestFacts } from '../audit/index.ts';
import type { Caller } from '../organizations/index.ts';
import { problemOf, requestOf } from '../queries/index.ts';
import type { Task, TaskQueue, TaskRequest } from './task-handler.ts';

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
