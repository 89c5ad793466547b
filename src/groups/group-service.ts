import type { Precondition } from '#engine';
import {
  type AdminParts,
  commitPlan,
  notFound,
  type Plan,
  requireHeldToTake,
  requirePermission,
  taken,
  unchanged,
} from '../admin/index.ts';
import { diff, type Happening, type RequestFacts } from '../audit/index.ts';
import {
  type GroupEntry,
  type GroupRecord,
  getGroup,
  groupCollection,
  groupMembers,
  groupObject,
  groupWrite,
  leftoversOf,
  slugKey,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { type GroupView, groupView } from './group-view.ts';

export interface NewGroup {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

export interface GroupChanges {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

/** The group begins empty: whatever tuples name it from before are removed with the same command. */
export function createGroup(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  { name, displayName = name, description = '' }: NewGroup,
): Promise<GroupView> {
  const { store } = caller.organization;
  const id = parts.audit.newId();
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'groups.create');
    const rival = store.records.byUnique<GroupRecord>(groupCollection, 'name', slugKey(name));
    if (rival !== undefined) throw taken('name', `There is a group ${rival.document.name}.`);
    const document: GroupRecord = { name, displayName, description, createdAt: now, updatedAt: now };
    const entry: GroupEntry = { id, version: 1, document };
    return {
      changes: [
        ...leftoversOf(store, groupObject(name)),
        { op: 'put_record', store: store.name, record: groupWrite(id, document) },
      ],
      entries: [happening('group.create', entry)],
      result: { ...groupView(store, entry), memberCount: 0, roles: [] },
    };
  });
}

export function updateGroup(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  { displayName, description }: GroupChanges,
): Promise<GroupView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<GroupView> => {
    requirePermission(caller, 'groups.update');
    const entry = requireGroup(caller, id);
    const before = entry.document;
    const changed: GroupRecord = {
      ...before,
      displayName: displayName ?? before.displayName,
      description: description ?? before.description,
    };
    const changes = diff(before, changed);
    if (Object.keys(changes).length === 0) return unchanged(groupView(store, entry));
    const document: GroupRecord = { ...changed, updatedAt: now };
    return {
      changes: [{ op: 'put_record', store: store.name, record: groupWrite(id, document) }],
      preconditions: [stillThere(caller, entry)],
      entries: [happening('group.update', entry, { changes })],
      result: groupView(store, { ...entry, document }),
    };
  });
}

/** Members stay as users; that they were members, and the roles they had by it, goes with the same command. */
export function deleteGroup(parts: AdminParts, caller: Caller, facts: RequestFacts, id: string): Promise<void> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<void> => {
    requirePermission(caller, 'groups.delete');
    const entry = requireGroup(caller, id);
    const object = groupObject(entry.document.name);
    const members = groupMembers(entry.document.name);
    requireHeldToTake(parts, caller, members, now);
    return {
      changes: [
        { op: 'delete_object', store: store.name, object },
        { op: 'delete_record', store: store.name, collection: groupCollection, id },
      ],
      preconditions: [stillThere(caller, entry)],
      entries: [happening('group.delete', entry)],
      result: undefined,
    };
  });
}

/** @throws ProblemError 404 */
export function requireGroup(caller: Caller, id: string): GroupEntry {
  const entry = getGroup(caller.organization.store, id);
  if (entry === undefined) throw notFound();
  return entry;
}

/** What a plan about a group rests on: else its tuples could outlive it. */
export function stillThere({ organization }: Caller, { id, version }: GroupEntry): Precondition {
  return { require: 'record_version', store: organization.store.name, collection: groupCollection, id, version };
}

export function happening(action: string, { id, document }: GroupEntry, metadata: object = {}): Happening {
  return {
    eventType: 'admin.action',
    action,
    targetId: id,
    targetType: 'group',
    metadata: { group: document.name, ...metadata },
  };
}
