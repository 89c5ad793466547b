import { requireNoLess, type Transaction } from '../../../kernel/transactions/index.ts';
import { endAllOf } from '../../epochs/index.ts';
import { disownAgents, type UserEntry, userRecords, userSubject } from '../../records/index.ts';
import { clearLinks } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { aboutUser, assignedTo, userDeleted, userEvent } from './user-events.ts';

/**
 * The record, the secrets, the sessions, and every tuple that names the user on either side: one command.
 * @throws ProblemError 403
 */
export function deleteUser(transaction: Transaction<UserDependencies>, user: UserEntry): void {
  const { dependencies, store, now } = transaction;
  const { id, document } = user;
  const subject = userSubject(id);
  transaction.require('users.delete');
  requireNoLess(transaction, subject);
  const assigned = assignedTo(store, id);
  transaction.rely(userRecords, user);
  transaction.delete(userRecords, id);
  transaction.deleteObject(subject);
  clearLinks(transaction, id);
  transaction.change([...endAllOf(store, id), ...dependencies.forget(store, id)]);
  disownAgents(transaction, id, now);
  transaction.audit(
    aboutUser(id, 'user.deleted', 'user.delete', {
      severity: 'warning',
      metadata: assigned,
      personal: { email: document.email, name: document.name },
    }),
  );
  transaction.emit(userEvent(userDeleted, user, assigned));
}
