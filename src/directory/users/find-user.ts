import type { Family } from '../../kernel/lists/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { existing } from '../../kernel/transactions/index.ts';
import { type UserEntry, userNamed } from '../records/index.ts';

/**
 * The user that a path names; in the tenant family by email for everybody. To be called inside `Engine.read`.
 * @throws ProblemError 404
 */
export function requireUser(caller: Caller, reference: string, family: Family): UserEntry {
  return existing(userNamed(caller, reference, family === 'tenant'));
}
