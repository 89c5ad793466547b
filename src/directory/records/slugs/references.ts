import type { Store } from '#engine';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { findGroup, type GroupEntry, groupRecords } from '../groups.ts';
import { findPermission, getPermission, type PermissionEntry } from '../permissions.ts';
import { findRole, type RoleEntry, roleRecords } from '../roles.ts';
import { findUserByEmail, findUserByNumber, getUser, type UserEntry } from '../subjects/users.ts';

/**
 * How paths and bodies name users, roles, groups and permissions: by id, by slug, by number where they have one, users
 * also by email address. An id goes before whatever else the text could be. All of these are called inside a snapshot.
 */

/** No id, slug or address is longer. */
const LENGTH_MAX = 1024;
const number = /^[1-9]\d{0,11}$/;

/**
 * By address and number for those alone who may read users: who is there is not theirs to find out.
 * @param isPublished whether an address may be asked about by whoever comes this far
 */
export function userNamed(
  caller: Pick<Caller, 'organization' | 'may'>,
  text: string,
  isPublished = false,
): UserEntry | undefined {
  const { store } = caller.organization;
  if (text.length > LENGTH_MAX) return undefined;
  const byId = getUser(store, text);
  if (byId !== undefined) return byId;
  const isAddress = text.includes('@');
  if (!isAddress && !number.test(text)) return undefined;
  if (!(isAddress && isPublished) && !caller.may('users.read')) return undefined;
  return isAddress ? findUserByEmail(store, text) : findUserByNumber(store, Number(text));
}

/** The id of the user whom a filter names. What nobody is called stays as it is, and finds nothing. */
export function userIdNamed(caller: Pick<Caller, 'organization' | 'may'>, text: string): string {
  return userNamed(caller, text)?.id ?? text;
}

export function roleNamed(store: Store, text: string): RoleEntry | undefined {
  return text.length > LENGTH_MAX ? undefined : (roleRecords.get(store, text) ?? findRole(store, text));
}

export function groupNamed(store: Store, text: string): GroupEntry | undefined {
  return text.length > LENGTH_MAX ? undefined : (groupRecords.get(store, text) ?? findGroup(store, text));
}

export function permissionNamed(store: Store, named: string | number): PermissionEntry | undefined {
  const text = String(named);
  if (text.length > LENGTH_MAX) return undefined;
  const byNumber = number.test(text) ? getPermission(store, Number(text)) : undefined;
  return byNumber ?? findPermission(store, text);
}

/**
 * The slug of the permission that a question names. An integer is a number; a text is a slug, and where it is digits that
 * are nobody's slug a number. What names no permission is its own slug, of which decisions find nothing.
 */
export function slugAsked(store: Store, named: string | number): string {
  const text = String(named);
  if (!number.test(text)) return text;
  if (typeof named === 'string' && findPermission(store, named) !== undefined) return named;
  return getPermission(store, Number(text))?.document.slug ?? text;
}
