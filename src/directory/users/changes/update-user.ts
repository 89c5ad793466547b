import type { Change, Precondition, Store } from '#engine';
import { type AuditEvent, diff, type RequestFacts } from '../../../kernel/audit/index.ts';
import type { Family } from '../../../kernel/lists/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  commitPlan,
  nothingToCommit,
  type Plan,
  requireNoLess,
  requirePermission,
  requireSignInChangeable,
} from '../../../kernel/transactions/index.ts';
import { endAllOf } from '../../epochs/index.ts';
import { countsNow, type UserEntry, type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { clearLinks } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
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

/** The user of a request's path. */
export interface Target {
  readonly reference: string;
  readonly family: Family;
}

export function updateUser(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
  body: UserChanges,
): Promise<UserEntry> {
  return commitPlan(dependencies, caller, facts, (now) =>
    planUpdate(dependencies, caller, requireUser(caller, reference, family), body, now),
  );
}

/**
 * Changes what a body says of a user, as whoever asks may.
 * @throws ProblemError 403, 409
 */
export function planUpdate(
  dependencies: AdminDependencies,
  caller: Caller,
  user: UserEntry,
  body: UserChanges,
  now: number,
): Plan<UserEntry> {
  requirePermission(caller, 'users.update');
  const next = changedRecord(user.document, body);
  judge(dependencies, caller, user, next, now);
  return planChange(caller.organization.store, user, next, now, {
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
function judge(
  dependencies: AdminDependencies,
  caller: Caller,
  { id, document }: UserEntry,
  next: UserRecord,
  now: number,
): void {
  const isEmail = next.email !== document.email;
  const isSignIn = isEmail || next.username !== document.username || next.phoneNumber !== document.phoneNumber;
  const isVerified = next.emailVerified !== document.emailVerified;
  const isStatus = next.isActive !== document.isActive;
  if (isStatus) requirePermission(caller, 'users.block');
  if (isVerified && (next.emailVerified || !isEmail)) requirePermission(caller, 'users.verify');
  if (isSignIn || isVerified) requireSignInChangeable(dependencies, caller, userSubject(id), now);
  else if (isStatus) requireNoLess(dependencies, caller, userSubject(id), now);
  requireHeldThroughPolicies(dependencies, caller, changedAttributes(document, next), now);
}

/** What is told of a change: audit entries, and events. */
export interface Told {
  readonly entries: readonly AuditEvent[];
  readonly events: readonly UserTelling[];
}

/**
 * Puts a changed record, with all that follows from it in the same command: the engine is told of a status, sessions
 * end with it, and links to an address that is no longer the user's are void.
 * @throws ProblemError 409 where another user signs in by what the change sets
 */
export function planChange(
  store: Store,
  user: UserEntry,
  changed: UserRecord,
  now: number,
  told: Told,
): Plan<UserEntry> {
  const { id, version, document: before } = user;
  if (JSON.stringify(changed) === JSON.stringify(before)) {
    return nothingToCommit(user);
  }
  const document = { ...changed, updatedAt: now };
  const next: UserEntry = { id, version: version + 1, document };
  const subject = userSubject(id);
  const changes: Change[] = [userRecords.put(store, id, document)];
  const preconditions: Precondition[] = [userRecords.same(store, user), ...claimLogins(store, id, before, document)];
  if (countsNow(before) && !countsNow(document)) {
    changes.push({ op: 'suspend_subject', store: store.name, subject }, ...endAllOf(store, id));
  } else if (!countsNow(before) && countsNow(document)) {
    changes.push({ op: 'restore_subject', store: store.name, subject });
  }
  if (before.email !== document.email) changes.push(...clearLinks(store, id));
  const deactivated = before.isActive && !document.isActive ? [userDeactivated] : [];
  const assigned = assignedTo(store, id);
  return {
    changes,
    preconditions,
    entries: told.entries,
    events: [...told.events, ...deactivated].map((type) => userEvent(type, next, assigned)),
    result: next,
  };
}
