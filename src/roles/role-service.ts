import {
  type AdminParts,
  commitPlan,
  notFound,
  type Plan,
  refused,
  requireHeldToTake,
  requirePermission,
  taken,
  unchanged,
} from '../admin/index.ts';
import { diff, type Happening, type RequestFacts } from '../audit/index.ts';
import {
  getRole,
  leftoversOf,
  type RoleEntry,
  type RoleRecord,
  roleAssignees,
  roleCollection,
  roleObject,
  roleWrite,
  slugKey,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { type RoleView, roleView } from './role-view.ts';

export interface NewRole {
  readonly name: string;
  readonly slug: string;
  readonly description?: string | undefined;
}

export interface RoleChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** The role begins with nothing: whatever tuples name its slug from before are removed with the same command. */
export function createRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  { name, slug, description = '' }: NewRole,
): Promise<RoleView> {
  const { store } = caller.organization;
  const id = parts.audit.newId();
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'roles.create');
    const rival = store.records.byUnique<RoleRecord>(roleCollection, 'slug', slugKey(slug));
    if (rival !== undefined) throw taken('slug', `There is a role ${rival.document.slug}.`);
    const document: RoleRecord = { slug, name, description, isSystem: false, createdAt: now, updatedAt: now };
    const entry: RoleEntry = { id, version: 1, document };
    return {
      changes: [
        ...leftoversOf(store, roleObject(slug)),
        { op: 'put_record', store: store.name, record: roleWrite(id, document) },
      ],
      entries: [happening('role.create', entry)],
      events: [{ type: 'role.created', data: { role: { id, slug, name } } }],
      result: { ...roleView(store, entry), permissions: [], userCount: 0 },
    };
  });
}

export function updateRole(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  { name, description }: RoleChanges,
): Promise<RoleView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'roles.update');
    const entry = requireRole(caller, id);
    const before = entry.document;
    const changed = { ...before, name: name ?? before.name, description: description ?? before.description };
    const changes = diff(before, changed);
    if (Object.keys(changes).length === 0) return unchanged(roleView(store, entry));
    const document: RoleRecord = { ...changed, updatedAt: now };
    return {
      changes: [{ op: 'put_record', store: store.name, record: roleWrite(id, document) }],
      preconditions: [stillThere(caller, entry)],
      entries: [happening('role.update', entry, { changes })],
      events: [{ type: 'role.updated', data: { role: { id, slug: document.slug, name: document.name } } }],
      result: roleView(store, { ...entry, document }),
    };
  });
}

/** With the role go all its tuples: nobody has it any more, and nothing is granted through it. */
export function deleteRole(parts: AdminParts, caller: Caller, facts: RequestFacts, id: string): Promise<void> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<void> => {
    requirePermission(caller, 'roles.delete');
    const entry = requireRole(caller, id);
    const { slug, isSystem } = entry.document;
    if (isSystem) throw refused('System roles cannot be deleted.');
    const object = roleObject(slug);
    const assignees = roleAssignees(slug);
    requireHeldToTake(parts, caller, assignees, now);
    return {
      changes: [
        { op: 'delete_object', store: store.name, object },
        { op: 'delete_record', store: store.name, collection: roleCollection, id },
      ],
      preconditions: [stillThere(caller, entry)],
      entries: [happening('role.delete', entry)],
      result: undefined,
    };
  });
}

/** @throws ProblemError 404 */
export function requireRole(caller: Caller, id: string): RoleEntry {
  const entry = getRole(caller.organization.store, id);
  if (entry === undefined) throw notFound();
  return entry;
}

/** What a plan about a role rests on: else its tuples could outlive it. */
export function stillThere({ organization }: Caller, { id, version }: Pick<RoleEntry, 'id' | 'version'>) {
  return {
    require: 'record_version',
    store: organization.store.name,
    collection: roleCollection,
    id,
    version,
  } as const;
}

export function happening(action: string, { id, document }: RoleEntry, metadata: object = {}): Happening {
  return {
    eventType: 'admin.action',
    action,
    targetId: id,
    targetType: 'role',
    metadata: { slug: document.slug, ...metadata },
  };
}
