import type { Change } from '#engine';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { commitPlan, type Plan, requireNoLess, requirePermission } from '../../../kernel/transactions/index.ts';
import { endAllOf } from '../../epochs/index.ts';
import { disownAgents, type UserEntry, userRecords, userSubject } from '../../records/index.ts';
import { clearLinks } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
import type { Target } from './update-user.ts';
import { aboutUser, assignedTo, userDeleted, userEvent } from './user-events.ts';

export function deleteUser(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
): Promise<void> {
  return commitPlan(dependencies, caller, facts, (now) =>
    planDeletion(dependencies, caller, requireUser(caller, reference, family), now),
  );
}

/**
 * The record, the secrets, the sessions, and every tuple that names the user on either side: one command.
 * @throws ProblemError 403
 */
export function planDeletion(
  dependencies: UserDependencies,
  caller: Caller,
  user: UserEntry,
  now: number,
): Plan<undefined> {
  const { store } = caller.organization;
  const { id, document } = user;
  const subject = userSubject(id);
  requirePermission(caller, 'users.delete');
  requireNoLess(dependencies, caller, subject, now);
  const assigned = assignedTo(store, id);
  const disowned = disownAgents(store, id, now);
  const changes: Change[] = [
    userRecords.delete(store, id),
    { op: 'delete_object', store: store.name, object: subject },
    ...clearLinks(store, id),
    ...endAllOf(store, id),
    ...dependencies.forget(store, id),
    ...disowned.changes,
  ];
  return {
    changes,
    preconditions: [userRecords.same(store, user), ...disowned.preconditions],
    entries: [
      aboutUser(id, 'user.deleted', 'user.delete', {
        severity: 'warning',
        metadata: assigned,
        personal: { email: document.email, name: document.name },
      }),
    ],
    events: [userEvent(userDeleted, user, assigned)],
    result: undefined,
  };
}
