import { type AuditEvent, diff } from '../../../kernel/audit/index.ts';
import {
  type OrganizationTransaction,
  requireNoLess,
  requireSignInChangeable,
  type Transaction,
} from '../../../kernel/transactions/index.ts';
import { endAllOf } from '../../epochs/index.ts';
import { countsNow, type UserEntry, type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { clearLinks } from '../credentials/links.ts';
import { claimLogins } from '../profile/claim-logins.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { changedAttributes, requireHeldThroughPolicies } from './deciding-attributes.ts';
import { aboutUser, assignedTo, type UserTelling, userDeactivated, userEvent, userUpdated } from './user-events.ts';

export interface UserChanges extends Profile {
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly isActive?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** What provisioning alone knows, as a whole. */
  readonly scim?: UserRecord['scim'] | undefined;
}

/**
 * Changes what a body says of a user, as whoever asks may. Answers as `changeUser` does.
 * @throws ProblemError 403, 409
 */
export function updateUser(transaction: Transaction, user: UserEntry, body: UserChanges): UserRecord {
  transaction.require('users.update');
  const next = changedRecord(user.document, body);
  judge(transaction, user, next);
  return changeUser(transaction, user, next, {
    entries: [aboutUser(user.id, 'user.updated', 'user.update', { personal: { changes: diff(user.document, next) } })],
    events: [userUpdated],
  });
}

/** A new address is not verified, unless the same request says so. */
function changedRecord(before: UserRecord, body: UserChanges): UserRecord {
  const { email = before.email, isActive = before.isActive, metadata = before.metadata } = body;
  const emailVerified = body.emailVerified ?? (email === before.email && before.emailVerified);
  const scim = body.scim ?? before.scim;
  const changed = { ...before, email, emailVerified, isActive, metadata, ...(scim === undefined ? {} : { scim }) };
  return withProfile(changed, body);
}

/** What is more than a profile needs more than the right to change profiles. */
function judge(transaction: Transaction, { id, document }: UserEntry, next: UserRecord): void {
  const isEmail = next.email !== document.email;
  const isSignIn = isEmail || next.username !== document.username || next.phoneNumber !== document.phoneNumber;
  const isVerified = next.emailVerified !== document.emailVerified;
  const isStatus = next.isActive !== document.isActive;
  if (isStatus) transaction.require('users.block');
  if (isVerified && (next.emailVerified || !isEmail)) transaction.require('users.verify');
  if (isSignIn || isVerified) requireSignInChangeable(transaction, userSubject(id));
  else if (isStatus) requireNoLess(transaction, userSubject(id));
  requireHeldThroughPolicies(transaction, changedAttributes(document, next));
}

/** What is told of a change: audit entries, and events. */
export interface Told {
  readonly entries: readonly AuditEvent[];
  readonly events: readonly UserTelling[];
}

/**
 * Puts a changed record, with all that follows from it in the same command: the engine is told of a status, sessions
 * end with it, and links to an address that is no longer the user's are void.
 * @returns the record that is put; the one before where nothing changes, and then nothing is told
 * @throws ProblemError 409 where another user signs in by what the change sets
 */
export function changeUser(
  transaction: OrganizationTransaction,
  user: UserEntry,
  changed: UserRecord,
  told: Told,
): UserRecord {
  const { store, now } = transaction;
  const { id, document: before } = user;
  if (JSON.stringify(changed) === JSON.stringify(before)) return before;
  const document = { ...changed, updatedAt: now };
  const subject = userSubject(id);
  transaction.rely(userRecords, user);
  transaction.expect(claimLogins(store, id, before, document));
  transaction.put(userRecords, id, document);
  if (countsNow(before) && !countsNow(document)) {
    transaction.change([{ op: 'suspend_subject', store: store.name, subject }, ...endAllOf(store, id)]);
  } else if (!countsNow(before) && countsNow(document)) {
    transaction.change([{ op: 'restore_subject', store: store.name, subject }]);
  }
  if (before.email !== document.email) clearLinks(transaction, id);
  const deactivated = before.isActive && !document.isActive ? [userDeactivated] : [];
  const assigned = assignedTo(store, id);
  transaction.audit(...told.entries);
  transaction.emit(...[...told.events, ...deactivated].map((type) => userEvent(type, { id, document }, assigned)));
  return document;
}
