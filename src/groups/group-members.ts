import type { Precondition } from '#engine';
import {
  type AdminParts,
  commitPlan,
  existing,
  invalid,
  notFound,
  type Plan,
  requireHeldThrough,
  requireHeldToTake,
  requirePermission,
  takeTuples,
  unchanged,
} from '../admin/index.ts';
import type { Happening, RequestFacts } from '../audit/index.ts';
import {
  getUser,
  groupMembers,
  groupRecords,
  isPlain,
  membership,
  restsOnGroup,
  storedTuple,
  type UserEntry,
  userRecords,
  userSubject,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { type GroupView, groupView } from './group-view.ts';

/** A user as a body names it, and where. */
export interface NamedUser {
  readonly id: string;
  readonly path: string;
}

/** Puts users into a group, all or none. Those who are in it already are no error. */
export function addMembers(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  named: readonly NamedUser[],
): Promise<GroupView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'groups.members');
    const group = existing(groupRecords.get(store, id));
    const { name } = group.document;
    const users = readUsers(caller, named);
    requireHeldThrough(parts, caller, groupMembers(name), now);
    const wanted = users.map((user) => {
      const tuple = membership(name, userSubject(user.id));
      return { user, tuple, stored: storedTuple(store, tuple, now) };
    });
    const fresh = wanted.filter(({ stored }) => !isPlain(stored));
    const view = groupView(store, group);
    if (fresh.length === 0) return unchanged(view);
    return {
      changes: [{ op: 'write_tuples', store: store.name, tuples: fresh.map(({ tuple }) => tuple) }],
      preconditions: [
        ...restsOnGroup(store, name),
        ...fresh.flatMap(({ user, tuple, stored }): Precondition[] => [
          userRecords.same(store, user),
          { require: stored === undefined ? 'tuple_absent' : 'tuple_exists', store: store.name, tuple },
        ]),
      ],
      entries: fresh.map(({ user }) => aboutUser('group.add_member', user.id, name)),
      events: fresh.map(({ user }) => ({
        type: 'group.member_added',
        data: { userId: user.id, groupId: id, group: name },
      })),
      result: { ...view, memberCount: view.memberCount + fresh.filter(({ stored }) => stored === undefined).length },
    };
  });
}

/** @throws ProblemError 404 where the user is not in the group */
export function removeMember(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  userId: string,
): Promise<GroupView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'groups.members');
    const group = existing(groupRecords.get(store, id));
    const { name } = group.document;
    const tuple = membership(name, userSubject(userId));
    if (storedTuple(store, tuple, now) === undefined) throw notFound();
    requireHeldToTake(parts, caller, groupMembers(name), now);
    const view = groupView(store, group);
    return {
      ...takeTuples(store, [tuple]),
      entries: [aboutUser('group.remove_member', userId, name)],
      events: [{ type: 'group.member_removed', data: { userId, groupId: id, group: name } }],
      result: { ...view, memberCount: view.memberCount - 1 },
    };
  });
}

function readUsers(caller: Caller, named: readonly NamedUser[]): UserEntry[] {
  const users = new Map<string, UserEntry>();
  for (const { id, path } of named) {
    const user = getUser(caller.organization.store, id);
    if (user === undefined) throw invalid(path, 'there is no such user');
    users.set(id, user);
  }
  return [...users.values()];
}

/** As the user's own endpoints put it on record: who looks for what was done to somebody finds all of it. */
function aboutUser(action: string, userId: string, group: string): Happening {
  return { eventType: 'admin.action', action, targetId: userId, targetType: 'user', metadata: { group } };
}
