import type { Family } from '../../kernel/lists/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { existing } from '../../kernel/transactions/index.ts';
import { type UserEntry, userNamed } from '../records/index.ts';

/** The user that a path names; in the tenant family by email for everybody. To be called inside `Engine.read`. */
export function findUser(caller: Caller, reference: string, family: Family): UserEntry | undefined {
  return userNamed(caller, reference, family === 'tenant');
}

/** @throws ProblemError 404 */
export function requireUser(caller: Caller, reference: string, family: Family): UserEntry {
  return existing(findUser(caller, reference, family));
}
