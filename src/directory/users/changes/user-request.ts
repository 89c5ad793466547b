import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { type Transaction, transact } from '../../../kernel/transactions/index.ts';
import type { UserEntry } from '../../records/index.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';

/** A request that changes the user whom its path names. */
export interface UserRequest {
  readonly dependencies: UserDependencies;
  readonly caller: Caller;
  readonly facts: RequestFacts;
  /** As the path names the user. */
  readonly reference: string;
  readonly family: Family;
}

/** What it changes, in one transaction. @throws ProblemError 404 where there is no such user */
export function transactOnUser<T>(
  { dependencies, caller, facts, reference, family }: UserRequest,
  run: (transaction: Transaction<UserDependencies>, user: UserEntry) => T,
): Promise<T> {
  return transact(dependencies, caller, facts, (transaction) =>
    run(transaction, requireUser(caller, reference, family)),
  );
}
