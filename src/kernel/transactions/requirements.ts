import { EngineError } from '#engine';
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
 * A credential may end while its request waits for its turn: so it is checked again in the snapshot that judges.
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

/** Decided again in the snapshot that judges what may be done: the guard used an earlier one. */
export function requirePermission(caller: Caller, permission: SystemPermission): void {
  if (!caller.may(permission)) throw forbidden(`This needs the permission ${permission}.`);
}

/** Who asks, in the snapshot that judges: a transaction, or what one would be made of. */
export interface Asking {
  readonly dependencies: AdminDependencies;
  readonly caller: Caller;
  readonly now: number;
}

/**
 * Nobody gives what they do not hold: `what` is `role:editor#assignee` or `group:eng#member`, and everything that
 * its members are given must be held by the caller.
 */
export function requireHeldThrough(asking: Asking, userset: string): void {
  const lacking = missingPermission(questionOf(asking), userset);
  if (lacking !== undefined) throw forbidden(`This would give ${lacking}, which the caller does not hold.`);
}

/**
 * A program (`agent:A`, `api_key:K`) with rights that the caller lacks, also while it is suspended, is not the caller's to
 * change: a new secret would be theirs.
 * @param noun what people call it
 * @throws ProblemError 403
 */
export function requireRightsOf(asking: Asking, subject: string, noun: string): void {
  const lacking = missingPermission(questionOf(asking), subject);
  if (lacking !== undefined) throw forbidden(`The ${noun} holds ${lacking}, which the caller does not.`);
}

export function requireHeldPermission(asking: Asking, permission: string): void {
  if (!holdsPermission(questionOf(asking), permission)) {
    throw forbidden(`This would give ${permission}, which the caller does not hold.`);
  }
}

/**
 * Only who holds a system permission may revoke it: otherwise whoever assigns roles could first demote an
 * administrator, and then do with the user what is done only to those who hold no more. `source` is
 * `role:editor#assignee`, `group:eng#member` or `permission:users.read`. Other permissions are revoked freely.
 */
export function requireHeldToRevoke(asking: Asking, source: string): void {
  const lacking = missingSystemPermissionOf(questionOf(asking), source);
  if (lacking !== undefined) throw forbidden(`This would take ${lacking} away, which the caller does not hold.`);
}

/**
 * Only those who hold a user's system permissions may change the user's status and standing: otherwise a help desk
 * could become an administrator. This holds for one's own account too: a token, or an agent that acts with it, may hold
 * less than its user.
 */
export function requireNoLess(asking: Asking, subject: string): void {
  const lacking = missingSystemPermission(questionOf(asking), subject);
  if (lacking !== undefined) throw forbidden(`${subject} holds ${lacking}, which the caller does not.`);
}

/**
 * What a user signs in with (password, second factors, email address, user name, telephone number, linked identities)
 * is never changed by those who hold less, nor by a token of that user: otherwise an application that was let in once
 * could keep the account. Users change it on their account pages, with a fresh proof.
 */
export function requireSignInChangeable(asking: Asking, subject: string): void {
  const { caller } = asking;
  if (caller.scopes !== undefined && caller.subject === subject) {
    throw forbidden('A token cannot change how its own user signs in. Use the account pages.');
  }
  requireNoLess(asking, subject);
}

function questionOf({ dependencies: { rights }, caller, now }: Asking): HoldingsQuestion {
  const { organization, subject, actor, scopes, holds } = caller;
  return { organization, subject, actor, scopes, holds, rights, now };
}
