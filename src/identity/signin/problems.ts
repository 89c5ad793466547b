import { defineProblems, ProblemError, problem } from '../../http/index.ts';
import { said } from '../../texts/index.ts';

/** Where a sign-in cannot go on. The pages have words of their own for them: `problem-words.ts`. */
export const signInProblems = defineProblems({
  signin_over: [404, 'This sign-in is over'],
  link_over: [404, 'This link no longer works'],
  form_over: [403, 'This form is no longer valid'],
  account_unusable: [403, 'This account cannot be used at the moment'],
});

/**
 * The flow has come to its end, or is another browser's.
 * @param isKnown whether the browser has brought back the cookie that it was given
 */
export function lost(isKnown = true): ProblemError {
  const detail = said(isKnown ? 'problems.signInOverText' : 'problems.signInOverNoCookies');
  return new ProblemError(problem(signInProblems.signin_over, detail));
}

export function linkIsOver(): ProblemError {
  return new ProblemError(problem(signInProblems.link_over, said('problems.linkOverText')));
}

export function accountUnusable(): ProblemError {
  return new ProblemError(problem(signInProblems.account_unusable, said('problems.accountUnusableText')));
}
