import type { Engine } from '#engine';
import { type Problem, problem } from '../../http/index.ts';
import type { SystemPermission } from '../rights/index.ts';
import type { Caller } from './organization.ts';

/**
 * Runs a read in the snapshot in which the right to it is decided. The guard has decided before, but a commit may have
 * come between: what is newer must not be shown by an older right.
 */
export function answerIfMay<T>(
  engine: Engine,
  caller: Caller,
  permission: SystemPermission,
  read: () => T,
): T | Problem {
  return engine.read(() =>
    caller.may(permission) ? read() : problem('forbidden', `This needs the permission ${permission}.`),
  );
}
