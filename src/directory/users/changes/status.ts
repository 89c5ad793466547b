import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { requireNoLess, requireSignInChangeable } from '../../../kernel/transactions/index.ts';
import { type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { factorRecords } from '../credentials/factor-record.ts';
import { changeUser } from './update-user.ts';
import {
  aboutUser,
  type UserTelling,
  userBlocked,
  userMfaDisabled,
  userUnblocked,
  userUpdated,
} from './user-events.ts';
import { transactOnUser, type UserRequest } from './user-request.ts';

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

/** @returns the id of the user */
export function changeStatus(request: UserRequest, status: StatusChange): Promise<string> {
  return transactOnUser(request, (transaction, user) => {
    transaction.require(status.permission);
    status.requireChangeable(transaction, userSubject(user.id));
    changeUser(transaction, user, status.change(user.document), {
      entries: [aboutUser(user.id, status.eventType, status.action)],
      events: [status.event],
    });
    return user.id;
  });
}

/** Clears every registered second factor. It is put on record also where there was none: somebody asked for it. */
export function resetMfa(request: UserRequest): Promise<string> {
  return transactOnUser(request, (transaction, user) => {
    transaction.require('users.reset_mfa');
    // a first factor that is confirmed meanwhile changes the user, and is cleared with the others
    transaction.rely(userRecords, user);
    requireSignInChangeable(transaction, userSubject(user.id));
    transaction.delete(factorRecords, user.id);
    const eventType = user.document.mfaEnabled ? 'user.mfa_disabled' : 'admin.action';
    transaction.audit(aboutUser(user.id, eventType, 'user.reset_mfa', { severity: 'warning' }));
    changeUser(
      transaction,
      user,
      { ...user.document, mfaEnabled: false },
      {
        entries: [],
        events: [{ of: (about) => userMfaDisabled.of({ ...about, reason: 'reset' }) }],
      },
    );
    return user.id;
  });
}
