import type { Precondition, Store } from '#engine';
import { findGroup, groupMembers, groupRecords } from './groups.ts';
import { slugsOf } from './memberships.ts';
import { findRole, roleRecords } from './roles.ts';

/**
 * Who gives a role or a membership has been judged by what it gives. That must still be so when the command is applied:
 * whatever adds to a role or a group also writes its record.
 */
export function expectedRoleVersions(store: Store, slug: string): Precondition[] {
  const role = findRole(store, slug);
  return role === undefined ? [] : [roleRecords.same(store, role)];
}

/** Members inherit what the roles of the group grant. */
export function expectedGroupVersions(store: Store, name: string): Precondition[] {
  const roles = slugsOf(store, groupMembers(name), 'role');
  const group = findGroup(store, name);
  return [
    ...(group === undefined ? [] : [groupRecords.same(store, group)]),
    ...roles.flatMap((slug) => expectedRoleVersions(store, slug)),
  ];
}
