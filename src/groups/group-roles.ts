import {
  type AdminParts,
  commitPlan,
  existing,
  happeningTo,
  invalid,
  notFound,
  type Plan,
  refused,
  requireHeldThrough,
  requireHeldToTake,
  requirePermission,
  takeTuples,
  unchanged,
} from '../admin/index.ts';
import type { RequestFacts } from '../audit/index.ts';
import {
  assignment,
  groupMembers,
  groupRecords,
  isPlain,
  restsOnRole,
  roleAssignees,
  roleRecords,
  storedTuple,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { group as groupResource } from './group.ts';
import { type GroupView, groupView } from './group-view.ts';

/** Gives a role to a group, whose members inherit it. System roles are given to users alone. */
export function addRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  roleId: string,
): Promise<GroupView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'roles.assign');
    const group = existing(groupRecords.get(store, id));
    const role = roleRecords.get(store, roleId);
    if (role === undefined) throw invalid('roleId', 'there is no such role');
    const { slug, isSystem } = role.document;
    if (isSystem) throw refused('System roles cannot be assigned to groups.', 'roleId');
    requireHeldThrough(parts, caller, roleAssignees(slug), now);
    const tuple = assignment(slug, groupMembers(group.document.name));
    const view = groupView(store, group);
    if (isPlain(storedTuple(store, tuple, now))) return unchanged(view);
    return {
      changes: [
        { op: 'write_tuples', store: store.name, tuples: [tuple] },
        // whoever is adding members at the same moment judges again what they are given
        groupRecords.put(store, id, { ...group.document, updatedAt: now }),
      ],
      preconditions: [groupRecords.same(store, group), ...restsOnRole(store, slug)],
      entries: [{ ...happeningTo(groupResource, 'role_add', group, { role: slug }), eventType: 'role.assigned' }],
      events: [{ type: 'role.assigned', data: { groupId: id, roleId, role: slug } }],
      result: { ...view, roles: [...new Set([...view.roles, slug])], updatedAt: new Date(now).toISOString() },
    };
  });
}

/** @throws ProblemError 404 where the group does not have it */
export function removeRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  roleId: string,
): Promise<GroupView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'roles.assign');
    const group = existing(groupRecords.get(store, id));
    const role = roleRecords.get(store, roleId);
    if (role === undefined) throw notFound();
    const { slug } = role.document;
    const tuple = assignment(slug, groupMembers(group.document.name));
    if (storedTuple(store, tuple, now) === undefined) throw notFound();
    requireHeldToTake(parts, caller, roleAssignees(slug), now);
    const view = groupView(store, group);
    return {
      ...takeTuples(store, [tuple]),
      entries: [happeningTo(groupResource, 'role_remove', group, { role: slug })],
      events: [{ type: 'role.unassigned', data: { groupId: id, roleId, role: slug } }],
      result: { ...view, roles: view.roles.filter((each) => each !== slug) },
    };
  });
}
