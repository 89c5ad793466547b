import {
  type AdminParts,
  commitPlan,
  existing,
  happeningTo,
  invalid,
  notFound,
  type Plan,
  requireHeldPermission,
  requireHeldToTake,
  requirePermission,
  takeTuples,
  unchanged,
} from '../admin/index.ts';
import type { RequestFacts } from '../audit/index.ts';
import {
  getPermission,
  grant,
  isPlain,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  roleAssignees,
  roleRecords,
  storedTuple,
} from '../directory/index.ts';
import type { Caller } from '../orgs/index.ts';
import { role as roleResource } from './role.ts';
import { type RoleView, roleView } from './role-view.ts';

/** What a body names: one permission, or several. */
export type NamedPermissions =
  | { readonly permissionId: number; readonly permissionIds?: undefined }
  | { readonly permissionId?: undefined; readonly permissionIds: readonly number[] };

/** Puts permissions into a role. Those that are in it already are no error. */
export function addPermissions(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  named: NamedPermissions,
): Promise<RoleView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'permissions.grant');
    const role = existing(roleRecords.get(store, id));
    const permissions = readNamed(caller, named);
    for (const { document } of permissions) requireHeldPermission(parts, caller, document.slug, now);
    const assignees = roleAssignees(role.document.slug);
    const fresh = permissions.filter(
      ({ document }) => !isPlain(storedTuple(store, grant(document.slug, assignees), now)),
    );
    if (fresh.length === 0) return unchanged(roleView(store, role));
    const slugs = [...new Set(fresh.map(({ document }) => document.slug))];
    return {
      changes: [
        { op: 'write_tuples', store: store.name, tuples: slugs.map((slug) => grant(slug, assignees)) },
        // whoever is giving this role at the same moment judges again what it gives
        roleRecords.put(store, id, touched(role, now).document),
      ],
      preconditions: [
        roleRecords.same(store, role),
        ...fresh.map((permission) => permissionRecords.same(store, permission)),
      ],
      entries: [happeningTo(roleResource, 'permissions_add', role, { permissions: slugs })],
      events: [changed(role)],
      result: withPermissions(roleView(store, touched(role, now)), (before) => [...new Set([...before, ...slugs])]),
    };
  });
}

/** @throws ProblemError 404 where the role does not have it */
export function removePermission(
  parts: AdminParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  permissionId: number,
): Promise<RoleView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<RoleView> => {
    requirePermission(caller, 'permissions.grant');
    const role = existing(roleRecords.get(store, id));
    const permission = getPermission(store, permissionId);
    if (permission === undefined) throw notFound();
    const { slug } = permission.document;
    const tuple = grant(slug, roleAssignees(role.document.slug));
    if (storedTuple(store, tuple, now) === undefined) throw notFound();
    requireHeldToTake(parts, caller, tuple.object, now);
    return {
      ...takeTuples(store, [tuple]),
      entries: [happeningTo(roleResource, 'permission_remove', role, { permissions: [slug] })],
      events: [changed(role)],
      result: withPermissions(roleView(store, role), (before) => before.filter((each) => each !== slug)),
    };
  });
}

function readNamed(caller: Caller, { permissionId, permissionIds }: NamedPermissions): PermissionEntry[] {
  const { store } = caller.organization;
  const read = (number: number, path: string): PermissionEntry => {
    const entry = getPermission(store, number);
    if (entry === undefined) throw invalid(path, `there is no permission ${number}`);
    return entry;
  };
  if (permissionId !== undefined) return [read(permissionId, 'permissionId')];
  return (permissionIds ?? []).map((number, place) => read(number, `permissionIds[${place}]`));
}

function touched(role: RoleEntry, updatedAt: number): RoleEntry {
  return { ...role, document: { ...role.document, updatedAt } };
}

function changed({ id, document: { slug, name } }: RoleEntry) {
  return { type: 'role.updated', data: { role: { id, slug, name } } };
}

function withPermissions(view: RoleView, change: (before: string[]) => string[]): RoleView {
  return { ...view, permissions: change(view.permissions) };
}
