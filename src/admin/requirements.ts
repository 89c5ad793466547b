import { type Change, type Precondition, parseObject, type Store, type Tuple } from '#engine';
import type { Caller } from '../orgs/index.ts';
import {
  type HoldingsQuestion,
  holdsPermission,
  missingPermission,
  missingSystemPermission,
  missingSystemPermissionOf,
  otherAdministrator,
  type SystemPermission,
} from '../rights/index.ts';
import type { AdminParts } from './parts.ts';
import { forbidden, refused } from './problems.ts';

/** Decided again in the snapshot that judges what may be done: the guard's was an earlier one. */
export function requirePermission(caller: Caller, permission: SystemPermission): void {
  if (!caller.may(permission)) throw forbidden(`This needs the permission ${permission}.`);
}

/**
 * Nobody gives what they do not hold: `what` is `role:editor#assignee` or `group:eng#member`, and everything that
 * its members are given must be held by the caller.
 */
export function requireHeldThrough(parts: AdminParts, caller: Caller, userset: string, now: number): void {
  const lacking = missingPermission(questionOf(parts, caller, now), userset);
  if (lacking !== undefined) throw forbidden(`This would give ${lacking}, which the caller does not hold.`);
}

export function requireHeldPermission(parts: AdminParts, caller: Caller, permission: string, now: number): void {
  if (!holdsPermission(questionOf(parts, caller, now), permission)) {
    throw forbidden(`This would give ${permission}, which the caller does not hold.`);
  }
}

/**
 * What administers Relata is taken away only by who holds it: otherwise whoever assigns roles could first demote an
 * administrator, and then do with the user what is done only to those who hold no more. `source` is
 * `role:editor#assignee`, `group:eng#member` or `permission:users.read`. Other permissions are withdrawn freely.
 */
export function requireHeldToTake(parts: AdminParts, caller: Caller, source: string, now: number): void {
  const lacking = missingSystemPermissionOf(questionOf(parts, caller, now), source);
  if (lacking !== undefined) throw forbidden(`This would take ${lacking} away, which the caller does not hold.`);
}

/**
 * Status and standing of a user are changed only by who holds the user's system permissions: otherwise a help desk
 * could become an administrator. That it is oneself is no excuse: a token, or who acts with it, may hold less than its
 * user.
 */
export function requireNoLess(parts: AdminParts, caller: Caller, subject: string, now: number): void {
  const lacking = missingSystemPermission(questionOf(parts, caller, now), subject);
  if (lacking !== undefined) throw forbidden(`${subject} holds ${lacking}, which the caller does not.`);
}

/**
 * What a user signs in with (password, second factors, e-mail address, user name, telephone number, linked identities)
 * is changed by nobody who holds less, and never by a token for its own user: an application that was let in for one
 * thing would keep the account. Users change their own on the pages of their account, with a fresh proof.
 */
export function requireSignInChangeable(parts: AdminParts, caller: Caller, subject: string, now: number): void {
  if (caller.scopes !== undefined && caller.subject === subject) {
    throw forbidden('With a token, nobody changes how they sign in themselves: the pages of the account are for that.');
  }
  requireNoLess(parts, caller, subject, now);
}

export interface Leaving {
  /** Tuples that are about to go. */
  readonly tuples?: (tuple: Tuple) => boolean;
  /** A subject that is about to go, or to be blocked. */
  readonly subject?: string;
}

/**
 * The last administrator stays: what must still be there, when the command is applied, for one to remain.
 * @throws ProblemError 422 where none would
 */
export function keepAdministrator(
  { lasts }: Pick<AdminParts, 'lasts'>,
  store: Store,
  leaving: Leaving,
): Precondition[] {
  const { tuples = () => false, subject: gone } = leaving;
  const isGone = (tuple: Tuple): boolean => tuple.subject === gone || tuples(tuple);
  const canAct = (subject: string): boolean => subject !== gone && lasts(store, subject);
  const remaining = otherAdministrator({ store, isGone, canAct });
  if (remaining !== undefined) {
    return [
      ...remaining.map((tuple): Precondition => ({ require: 'tuple_exists', store: store.name, tuple })),
      ...stillLasts(store, remaining),
    ];
  }
  if (otherAdministrator({ store, isGone: () => false, canAct: (subject) => lasts(store, subject) }) === undefined) {
    return [];
  }
  throw refused('This would take the last administrator away.');
}

/** Tuples that are taken away, where they are still there, and where an administrator remains without them. */
export function takeTuples(
  parts: Pick<AdminParts, 'lasts'>,
  store: Store,
  taken: readonly Tuple[],
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  if (taken.length === 0) return { changes: [], preconditions: [] };
  const tuples = ({ object, relation, subject }: Tuple): boolean =>
    taken.some((each) => each.object === object && each.relation === relation && each.subject === subject);
  return {
    changes: [{ op: 'delete_tuples', store: store.name, tuples: taken }],
    preconditions: [
      ...taken.map((tuple): Precondition => ({ require: 'tuple_exists', store: store.name, tuple })),
      ...keepAdministrator(parts, store, { tuples }),
    ],
  };
}

/** Where a record of its own says whether the remaining administrator is active, that record must not change either. */
function stillLasts(store: Store, remaining: readonly Tuple[]): Precondition[] {
  const last = remaining.at(-1);
  if (last === undefined) return [];
  const { type, id } = parseObject(last.subject);
  const collection = collections[type];
  const version = collection === undefined ? undefined : store.records.get(collection, id)?.version;
  if (collection === undefined || version === undefined) return [];
  return [{ require: 'record_version', store: store.name, collection, id, version }];
}

/** Collections of the records behind subjects. */
const collections: Readonly<Record<string, string>> = { user: 'users', api_key: 'api_keys' };

function questionOf(
  { rights }: AdminParts,
  { organization, subject, actor, scopes }: Caller,
  now: number,
): HoldingsQuestion {
  return { organization, subject, actor, scopes, rights, now };
}
