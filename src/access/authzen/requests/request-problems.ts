import { defineProblems, ProblemError, type ProblemKind, problem } from '../../../http/index.ts';

/** Errors of the Access Request and Approval Profile ("Error Responses"). */
export const requestProblems = defineProblems({
  not_requestable: [400, 'Access cannot be requested for this denial'],
  invalid_denial_binding: [400, 'The request does not belong to the denial'],
  expired_denial: [410, 'The denial has expired'],
  duplicate_request: [409, 'The Idempotency-Key was used for another request'],
  invalid_task_state: [409, 'The task is in another state'],
  unknown_task: [404, 'There is no such task'],
});

export function requestProblem(kind: ProblemKind, detail: string): ProblemError {
  const type = `urn:openid:authzen:access-request:error:${kind.code}`;
  return new ProblemError(problem(kind, detail, { extra: { type } }));
}
