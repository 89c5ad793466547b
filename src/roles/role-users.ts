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
  assignment,
  getUser,
  isPlain,
  roleAssignees,
  roleRecords,
  storedTuple,
  userRecords,
  userSubject,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { type RoleView, roleView } from './role-view.ts';

/** Gives a role to a user. Whoever has it already keeps it, and that is no error. */
export function assignRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  userId: string,
): Promise<RoleView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'roles.assign');
    const role = existing(roleRecords.get(store, id));
    const user = getUser(store, userId);
    if (user === undefined) throw invalid('userId', 'there is no such user');
    const { slug } = role.document;
    requireHeldThrough(parts, caller, roleAssignees(slug), now);
    const tuple = assignment(slug, userSubject(userId));
    const stored = storedTuple(store, tuple, now);
    const view = roleView(store, role);
    if (isPlain(stored)) return unchanged(view);
    return {
      changes: [{ op: 'write_tuples', store: store.name, tuples: [tuple] }],
      preconditions: [
        roleRecords.same(store, role),
        userRecords.same(store, user),
        { require: stored === undefined ? 'tuple_absent' : 'tuple_exists', store: store.name, tuple },
      ],
      entries: [{ ...aboutUser('role.assign', userId, slug), eventType: 'role.assigned' }],
      events: [{ type: 'role.assigned', data: { userId, roleId: id, role: slug } }],
      result: { ...view, userCount: view.userCount + (stored === undefined ? 1 : 0) },
    };
  });
}

/** @throws ProblemError 404 where the user does not have it by itself */
export function unassignRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  userId: string,
): Promise<RoleView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'roles.assign');
    const role = existing(roleRecords.get(store, id));
    const { slug } = role.document;
    const tuple = assignment(slug, userSubject(userId));
    if (storedTuple(store, tuple, now) === undefined) throw notFound();
    requireHeldToTake(parts, caller, roleAssignees(slug), now);
    const view = roleView(store, role);
    return {
      ...takeTuples(store, [tuple]),
      entries: [aboutUser('role.unassign', userId, slug)],
      events: [{ type: 'role.unassigned', data: { userId, roleId: id, role: slug } }],
      result: { ...view, userCount: view.userCount - 1 },
    };
  });
}

/** As the user's own endpoints put it on record: who looks for what was done to somebody finds all of it. */
function aboutUser(action: string, userId: string, role: string): Happening {
  return { eventType: 'admin.action', action, targetId: userId, targetType: 'user', metadata: { role } };
}
