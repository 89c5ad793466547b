import { ProblemError, problem } from '../../http/index.ts';

/** 403 from deep inside a question: the caller may not ask this. */
export class Forbidden extends ProblemError {
  constructor(detail: string) {
    super(problem('forbidden', detail));
    this.name = 'Forbidden';
  }
}
