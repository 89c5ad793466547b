import type { Store } from '#engine';
import type { Caller } from '../../kernel/organizations/index.ts';
import { invalid } from '../../kernel/transactions/index.ts';
import {
  type PermissionEntry,
  permissionNamed,
  type RoleEntry,
  roleNamed,
  type UserEntry,
  userNamed,
} from '../records/index.ts';
import { userHolder } from './assignments.ts';

/**
 * What a body names, by id or slug, by number where it has one. To be called inside a snapshot.
 * @param path of the field that names it
 * @throws ProblemError 400 where there is none
 */
export function roleIn(store: Store, text: string, path: string): RoleEntry {
  const role = roleNamed(store, text);
  if (role === undefined) throw invalid(path, `there is no role ${text}`);
  return role;
}

/** The same of permissions. */
export function permissionIn(store: Store, named: string | number, path: string): PermissionEntry {
  const permission = permissionNamed(store, named);
  if (permission === undefined) throw invalid(path, `there is no permission ${named}`);
  return permission;
}

/** The same of users, also by email address. */
export function userIn(caller: Caller, text: string, path: string): UserEntry {
  const user = userNamed(caller, text);
  if (user === undefined) throw invalid(path, `there is no user ${text}`);
  return user;
}

/** The user whom a path names, to take something away: need not have a record (any more). */
export function userInPath(caller: Caller, text: string): UserEntry {
  return userHolder(caller.organization.store, userNamed(caller, text)?.id ?? text);
}
