import type { Precondition, Store } from '#engine';
import { findGroup, groupCollection, groupMembers } from './groups.ts';
import { slugsOf } from './memberships.ts';
import { findRole, roleCollection } from './roles.ts';

/**
 * Who gives a role or a membership has been judged by what it gives. That must still be so when the command is applied:
 * whatever adds to a role or a group also writes its record.
 */
export function restsOnRole(store: Store, slug: string): Precondition[] {
  return sameVersion(store, roleCollection, findRole(store, slug));
}

/** Members are given what the group's roles give. */
export function restsOnGroup(store: Store, name: string): Precondition[] {
  const roles = slugsOf(store, groupMembers(name), 'role');
  return [
    ...sameVersion(store, groupCollection, findGroup(store, name)),
    ...roles.flatMap((slug) => restsOnRole(store, slug)),
  ];
}

function sameVersion(
  { name: store }: Store,
  collection: string,
  entry: { readonly id: string; readonly version: number } | undefined,
): Precondition[] {
  return entry === undefined
    ? []
    : [{ require: 'record_version', store, collection, id: entry.id, version: entry.version }];
}
