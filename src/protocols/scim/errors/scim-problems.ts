import { defineProblems, ProblemError, problem } from '../../../http/index.ts';

/**
 * What the protocol has a word for, by its `scimType` (RFC 7644, 3.12, table 9; RFC 9865, 2.1), and the versions that
 * requests may expect (RFC 7644, 3.14).
 */
export const scimProblems = defineProblems({
  invalidFilter: [400, 'The filter is not valid'],
  tooMany: [400, 'Too many resources match'],
  uniqueness: [409, 'Another resource has this value'],
  mutability: [400, 'The attribute cannot be changed'],
  invalidSyntax: [400, 'The request cannot be read'],
  invalidPath: [400, 'The path is not valid'],
  noTarget: [400, 'The path leads to nothing'],
  invalidValue: [400, 'A value is not valid'],
  invalidCursor: [400, 'The cursor is not valid'],
  expiredCursor: [400, 'The cursor has expired'],
  invalidCount: [400, 'The count is not valid'],
  versionMismatch: [412, 'The resource has another version'],
  notImplemented: [501, 'This is not supported'],
});

export type ScimErrorCode = keyof typeof scimProblems;

/** An error of the protocol, to throw. @param detail begins with the attribute that it is about, where there is one */
export function scimError(code: ScimErrorCode, detail: string): ProblemError {
  return new ProblemError(problem(scimProblems[code], detail));
}
