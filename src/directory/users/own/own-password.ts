import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { existing, type Part, transactAs } from '../../../kernel/transactions/index.ts';
import { getUser, type UserEntry, userActing } from '../../records/index.ts';
import { judged, putPassword } from '../changes/set-password.ts';
import type { UserDependencies } from '../dependencies.ts';

export interface OwnPassword {
  readonly userId: string;
  readonly password: string;
  /** `reset` by a link that was mailed for it; `change` where omitted. */
  readonly how?: 'change' | 'reset';
  /** What ends with the old password, and what else belongs to the commit; asked in its snapshot. */
  readonly ends: (now: number) => Part;
}

/**
 * Sets a user's own password. Whether the user may is for the caller to know.
 * @returns the id of the user
 * @throws ProblemError 422 where the policy refuses it
 */
export function changeOwnPassword(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  { userId, password, ends, how = 'change' }: OwnPassword,
): Promise<string> {
  const { store } = organization;
  const find = (): UserEntry => existing(getUser(store, userId));
  return judged(dependencies, store, { password, how }, find, (judgement) =>
    transactAs(dependencies, organization, userActing(userId), facts, (transaction) =>
      putPassword(transaction, find(), judgement, { mustChange: false, how, ends: ends(transaction.now) }),
    ),
  );
}
