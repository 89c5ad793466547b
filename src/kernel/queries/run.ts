import { jsonText, type Problem, problem } from '../../http/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { HeavyAnswer, HeavyRequest, HeavyRunner, HeavyTask } from './work.ts';

export function requestOf<Task extends HeavyTask>(caller: Caller, task: Task): HeavyRequest {
  const { organization, subject, actor, scopes } = caller;
  return {
    organization: organization.slug,
    subject,
    ...(actor === undefined ? {} : { actor }),
    ...(scopes === undefined ? {} : { scopes }),
    task,
  };
}

export function problemOf(answer: Extract<HeavyAnswer, { ok: false }>): Problem {
  return problem(answer.code, answer.detail, answer.options);
}

/** Hands a task to another thread, and its answer to the caller: 200 with the body that the work made. */
export async function heavyReply<Task extends HeavyTask>(heavy: HeavyRunner, caller: Caller, task: Task) {
  const answer = await heavy.run(requestOf(caller, task));
  return answer.ok ? jsonText(200, answer.text) : problemOf(answer);
}
