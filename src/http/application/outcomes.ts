import { problemFromError } from '../problems/from-error.ts';
import { type Problem, problem } from '../problems/problem.ts';
import type { Reply } from '../reply/reply.ts';
import type { Visit } from '../routing/access.ts';

/** What is answered, before problems are written in the form of their endpoint. */
export type Outcome = Reply | Problem;

/** A visit, with the input as far as it was read when the outcome is told. */
export interface WatchedVisit extends Visit {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Told of every request whose caller is known, so that it can copy what it will need; what it answers is told how the
 * request ends. `undefined`: this one is of no interest, and costs nothing more.
 */
export type OutcomeWatch<Caller> = (caller: Caller, visit: WatchedVisit) => ((outcome: Outcome) => void) | undefined;

/** Runs the rest of a request and tells how it ends, whether that is answered or thrown. */
export function tellingOutcome(
  tell: (outcome: Outcome) => void,
  run: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  const seen = (outcome: Outcome): Outcome => {
    tell(outcome);
    return outcome;
  };
  const thrown = (error: unknown): never => {
    tell(problemFromError(error) ?? problem('internal'));
    throw error;
  };
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = run();
  } catch (error) {
    return thrown(error);
  }
  return outcome instanceof Promise ? outcome.then(seen, thrown) : seen(outcome);
}
