import { defineProblems, ProblemError, problem } from '../../http/index.ts';

/** Where a sign-in cannot go on. Their titles are headings of pages. */
export const signInProblems = defineProblems({
  signin_over: [404, 'This sign-in is over'],
  link_over: [404, 'This link no longer works'],
  link_elsewhere: [403, 'This link belongs to another browser'],
  form_over: [403, 'This form is no longer valid'],
  account_unusable: [403, 'This account cannot be used now'],
});

/**
 * The flow has come to its end, or is another browser's.
 * @param isKnown whether the browser has brought back the cookie that it was given
 */
export function lost(isKnown = true): ProblemError {
  const detail = isKnown
    ? 'It took too long, has been finished already, or was begun in another browser.'
    : 'It was begun in another browser, or this one keeps no cookies. This site must be allowed to keep them.';
  return new ProblemError(problem(signInProblems.signin_over, detail));
}

export function linkIsOver(): ProblemError {
  return new ProblemError(problem(signInProblems.link_over, 'It has been used, or is too old. Ask for a new one.'));
}

export function linkIsElsewhere(): ProblemError {
  const detail = 'It works only in the browser in which it was asked for. Open it there, or ask for one here.';
  return new ProblemError(problem(signInProblems.link_elsewhere, detail));
}

export function accountUnusable(): ProblemError {
  return new ProblemError(problem(signInProblems.account_unusable, 'Ask an administrator, if you expect otherwise.'));
}
