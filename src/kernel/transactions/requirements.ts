import { type Change, EngineError, type Precondition, type Store, type Tuple } from '#engine';
import { ProblemError, unauthenticated } from '../../http/index.ts';
import type { Caller } from '../organizations/index.ts';
import {
  type HoldingsQuestion,
  holdsPermission,
  missingPermission,
  missingSystemPermission,
  missingSystemPermissionOf,
  type SystemPermission,
} from '../rights/index.ts';
import type { AdminDependencies } from './dependencies.ts';
import { forbidden } from './problems.ts';

/**
 * A credential may end while its request waits for its turn, so that it is asked again in the snapshot that judges.
 * @throws ProblemError 401
 */
export function requireStillValid(caller: Caller): void {
  if (!isStillValid(caller))
    throw new ProblemError(unauthenticated('The credential is no longer valid.', 'invalid_token'));
}

/** With a deleted organization all its credentials end. */
function isStillValid(caller: Caller): boolean {
  try {
    return caller.isStillValid();
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}

/** Decided again in the snapshot that judges what may be done: the guard's was an earlier one. */
export function requirePermission(caller: Caller, permission: SystemPermission): void {
  if (!caller.may(permission)) throw forbidden(`This needs the permission ${permission}.`);
}

/**
 * Nobody gives what they do not hold: `what` is `role:editor#assignee` or `group:eng#member`, and everything that
 * its members are given must be held by the caller.
 */
export function requireHeldThrough(
  dependencies: AdminDependencies,
  caller: Caller,
  userset: string,
  now: number,
): void {
  const lacking = missingPermission(questionOf(dependencies, caller, now), userset);
  if (lacking !== undefined) throw forbidden(`This would give ${lacking}, which the caller does not hold.`);
}

/**
 * A program (`agent:A`, `api_key:K`) with rights that the caller lacks, also while it is suspended, is not the caller's to
 * change: a new secret would be theirs.
 * @param noun what people call it
 * @throws ProblemError 403
 */
export function requireRightsOf(
  {
    dependencies,
    caller,
    now,
  }: { readonly dependencies: AdminDependencies; readonly caller: Caller; readonly now: number },
  subject: string,
  noun: string,
): void {
  const lacking = missingPermission(questionOf(dependencies, caller, now), subject);
  if (lacking !== undefined) throw forbidden(`The ${noun} holds ${lacking}, which the caller does not.`);
}

export function requireHeldPermission(
  dependencies: AdminDependencies,
  caller: Caller,
  permission: string,
  now: number,
): void {
  if (!holdsPermission(questionOf(dependencies, caller, now), permission)) {
    throw forbidden(`This would give ${permission}, which the caller does not hold.`);
  }
}

/**
 * Only who holds a system permission may revoke it: otherwise whoever assigns roles could first demote an
 * administrator, and then do with the user what is done only to those who hold no more. `source` is
 * `role:editor#assignee`, `group:eng#member` or `permission:users.read`. Other permissions are revoked freely.
 */
export function requireHeldToRevoke(
  dependencies: AdminDependencies,
  caller: Caller,
  source: string,
  now: number,
): void {
  const lacking = missingSystemPermissionOf(questionOf(dependencies, caller, now), source);
  if (lacking !== undefined) throw forbidden(`This would take ${lacking} away, which the caller does not hold.`);
}

/**
 * Only those who hold a user's system permissions may change the user's status and standing: otherwise a help desk
 * could become an administrator. This holds for one's own account too: a token, or an agent that acts with it, may hold
 * less than its user.
 */
export function requireNoLess(dependencies: AdminDependencies, caller: Caller, subject: string, now: number): void {
  const lacking = missingSystemPermission(questionOf(dependencies, caller, now), subject);
  if (lacking !== undefined) throw forbidden(`${subject} holds ${lacking}, which the caller does not.`);
}

/**
 * What a user signs in with (password, second factors, email address, user name, telephone number, linked identities)
 * is never changed by those who hold less, nor by a token of that user: otherwise an application that was let in once
 * could keep the account. Users change it on their account pages, with a fresh proof.
 */
export function requireSignInChangeable(
  dependencies: AdminDependencies,
  caller: Caller,
  subject: string,
  now: number,
): void {
  if (caller.scopes !== undefined && caller.subject === subject) {
    throw forbidden('A token cannot change how its own user signs in. Use the account pages.');
  }
  requireNoLess(dependencies, caller, subject, now);
}

/** Tuples to delete, if they still exist. */
export function revokeTuples(
  store: Store,
  tuples: readonly Tuple[],
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  if (tuples.length === 0) return { changes: [], preconditions: [] };
  return {
    changes: [{ op: 'delete_tuples', store: store.name, tuples }],
    preconditions: tuples.map((tuple): Precondition => ({ require: 'tuple_exists', store: store.name, tuple })),
  };
}

function questionOf(
  { rights }: AdminDependencies,
  { organization, subject, actor, scopes, holds }: Caller,
  now: number,
): HoldingsQuestion {
  return { organization, subject, actor, scopes, holds, rights, now };
}
