import { Problem, ProblemError } from '../problems/problem.ts';
import type { Reply } from '../reply/reply.ts';
import type { Visit } from '../routing/access.ts';

/**
 * Told of every request before it is authorized, so that it can copy what it will need; what it answers is told where
 * the request ends in a 403. `undefined`: this one is of no interest, and costs nothing more.
 */
export type RefusalWatch<Caller> = (caller: Caller, visit: Visit) => ((refusal: Problem) => void) | undefined;

type Result = Reply | Problem;

/** Runs the rest of a request and tells of its refusal, whether it is answered or thrown. */
export function tellingRefusals(
  tell: (refusal: Problem) => void,
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  const seen = (result: Result): Result => {
    if (result instanceof Problem && result.kind.status === 403) tell(result);
    return result;
  };
  const thrown = (error: unknown): never => {
    if (error instanceof ProblemError) seen(error.problem);
    throw error;
  };
  try {
    const result = run();
    return result instanceof Promise ? result.then(seen, thrown) : seen(result);
  } catch (error) {
    return thrown(error);
  }
}
