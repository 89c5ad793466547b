import { defineProblems, ProblemError, problem } from '../../../http/index.ts';

/** Why a task cannot be decided, or changed, any more. */
export const taskProblems = defineProblems({
  task_changed: [409, 'The request has changed since it was shown'],
  task_settled: [409, 'The task has already been decided'],
});

export function taskSettled(detail: string): ProblemError {
  return new ProblemError(problem(taskProblems.task_settled, detail));
}

export function taskChanged(): ProblemError {
  return new ProblemError(
    problem(taskProblems.task_changed, 'The request has changed since it was shown. Review it again.'),
  );
}
