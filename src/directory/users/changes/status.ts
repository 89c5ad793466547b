import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import {
  commitPlan,
  requireNoLess,
  requirePermission,
  requireSignInChangeable,
  transact,
} from '../../../kernel/transactions/index.ts';
import { type UserEntry, type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { factorRecords } from '../credentials/factor-record.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
import { planChange, type Target } from './update-user.ts';
import {
  aboutUser,
  type UserTelling,
  userBlocked,
  userMfaDisabled,
  userUnblocked,
  userUpdated,
} from './user-events.ts';

/** A change of one thing that only who holds no less than the user may change. */
interface StatusChange {
  readonly permission: SystemPermission;
  readonly requireChangeable: typeof requireNoLess;
  readonly change: (record: UserRecord) => UserRecord;
  readonly eventType: string;
  readonly action: string;
  readonly event: UserTelling;
}

export const statusChanges = {
  block: {
    permission: 'users.block',
    requireChangeable: requireNoLess,
    change: (record) => ({ ...record, isBlocked: true }),
    eventType: 'user.blocked',
    action: 'user.block',
    event: userBlocked,
  },
  unblock: {
    permission: 'users.block',
    requireChangeable: requireNoLess,
    change: (record) => ({ ...record, isBlocked: false }),
    eventType: 'user.unblocked',
    action: 'user.unblock',
    event: userUnblocked,
  },
  markVerified: {
    permission: 'users.verify',
    requireChangeable: requireSignInChangeable,
    change: (record) => ({ ...record, emailVerified: true }),
    eventType: 'user.updated',
    action: 'user.mark_verified',
    event: userUpdated,
  },
} as const satisfies Record<string, StatusChange>;

export function changeStatus(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
  status: StatusChange,
): Promise<UserEntry> {
  const { store } = caller.organization;
  return commitPlan(dependencies, caller, facts, (now) => {
    requirePermission(caller, status.permission);
    const user = requireUser(caller, reference, family);
    status.requireChangeable(dependencies, caller, userSubject(user.id), now);
    return planChange(store, user, status.change(user.document), now, {
      entries: [aboutUser(user.id, status.eventType, status.action)],
      events: [status.event],
    });
  });
}

/** Clears every registered second factor. It is put on record also where there was none: somebody asked for it. */
export function resetMfa(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
): Promise<UserEntry> {
  const { store } = caller.organization;
  return transact(dependencies, caller, facts, (transaction) => {
    transaction.require('users.reset_mfa');
    // a first factor that is confirmed meanwhile changes the user, and is cleared with the others
    const user = transaction.rely(userRecords, requireUser(caller, reference, family));
    requireSignInChangeable(dependencies, caller, userSubject(user.id), transaction.now);
    transaction.delete(factorRecords, user.id);
    const eventType = user.document.mfaEnabled ? 'user.mfa_disabled' : 'admin.action';
    transaction.audit(aboutUser(user.id, eventType, 'user.reset_mfa', { severity: 'warning' }));
    return transaction.include(
      planChange(store, user, { ...user.document, mfaEnabled: false }, transaction.now, {
        entries: [],
        events: [{ of: (about) => userMfaDisabled.of({ ...about, reason: 'reset' }) }],
      }),
    );
  });
}
