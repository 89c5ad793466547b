import { jsonText, type Problem, problem } from '../../http/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { QueryAnswer, QueryPool, QueryRequest, QueryTask } from './query-handler.ts';

export function requestOf<Task extends QueryTask>(caller: Caller, task: Task): QueryRequest {
  const { organization, subject, actor, agency, scopes, credential } = caller;
  return {
    organization: organization.slug,
    subject,
    ...(actor === undefined ? {} : { actor }),
    ...(agency === undefined ? {} : { agency }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(credential === undefined ? {} : { credential }),
    task,
  };
}

export function problemOf(answer: Extract<QueryAnswer, { ok: false }>): Problem {
  return problem(answer.kind, answer.detail, answer.options);
}

/** Hands a task to another thread, and its answer to the caller: 200 with the body that the work made. */
export async function queryReply<Task extends QueryTask>(
  queryPool: QueryPool,
  caller: Caller,
  task: Task,
  contentType?: string,
) {
  const answer = await queryPool.run(requestOf(caller, task));
  if (!answer.ok) return problemOf(answer);
  const { text, headers } = answer;
  if (contentType === undefined && headers === undefined) return jsonText(200, text);
  return jsonText(200, text, {
    ...(contentType === undefined ? {} : { contentType }),
    ...(headers === undefined ? {} : { headers }),
  });
}
