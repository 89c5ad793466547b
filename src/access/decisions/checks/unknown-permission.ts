import { defineProblems, ProblemError, problem } from '../../../http/index.ts';

export const permissionProblems = defineProblems({ unknown_permission: [400, 'The permission is not defined'] });

/** For callers who ask strictly. */
export function unknownPermission(permission: string, path = 'permission'): ProblemError {
  const message = `there is no permission ${permission}`;
  return new ProblemError(problem(permissionProblems.unknown_permission, undefined, { errors: [{ path, message }] }));
}
