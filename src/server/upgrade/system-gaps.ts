import type { Change, Store, Tuple } from '#engine';
import {
  findPermission,
  findRole,
  grant,
  type PermissionEntry,
  permissionRecords,
  putSystemPermissions,
  rivalPermission,
  roleAssignees,
  systemRecords,
} from '../../directory/records/index.ts';
import { adminRole, permissionObject, type SystemPermission, systemPermissions } from '../../kernel/rights/index.ts';

export interface SystemGaps {
  readonly changes: readonly Change[];
  /** Permissions of the organization's own whose slugs have become the system's: they are gone. */
  readonly replaced: readonly string[];
}

/**
 * What an organization lacks of the system's role and permissions, because it was made before there were records, or
 * before a permission was added to the table. A slug that becomes a system permission is granted to the administrators'
 * role alone: what was granted under it before meant something else. To be called inside a snapshot.
 */
export function systemGaps(store: Store, newId: () => string, now: number): SystemGaps {
  const changes: Change[] = [];
  const replaced: string[] = [];
  if (findRole(store, adminRole) === undefined) {
    const [role] = systemRecords(store, newId, now);
    if (role !== undefined) changes.push(role);
  }
  for (const slug of Object.keys(systemPermissions) as SystemPermission[]) {
    const known = permissionsOf(store, slug);
    if (known.some(({ document }) => document.isSystem)) continue;
    replaced.push(...known.map(({ document }) => document.slug));
    changes.push(...oneGap(store, slug, known, now));
  }
  return { changes, replaced };
}

/** With this slug: in whichever case, and, where tuples have brought two of them, in exactly this one. */
function permissionsOf(store: Store, slug: string): PermissionEntry[] {
  const found = [rivalPermission(store, slug), findPermission(store, slug)].filter((each) => each !== undefined);
  return found.filter(({ id }, index) => found.findIndex((each) => each.id === id) === index);
}

function oneGap(store: Store, slug: SystemPermission, own: readonly PermissionEntry[], now: number): Change[] {
  const { name } = store;
  const tuple = grant(slug, roleAssignees(adminRole));
  const drop = (each: string): Change => ({ op: 'delete_object', store: name, object: permissionObject(each) });
  return [
    ...own.flatMap(({ id, document }) => [drop(document.slug), permissionRecords.delete(store, id)]),
    ...(own.length === 0 && !isFromBefore(store, slug, tuple) ? [drop(slug)] : []),
    ...putSystemPermissions(store, [slug], now),
    { op: 'write_tuples', store: name, tuples: [tuple] },
  ];
}

/** Whether it was a system permission of this organization already, only without a record: its grants are meant. */
function isFromBefore(store: Store, slug: SystemPermission, { object, relation, subject }: Tuple): boolean {
  return slug === 'settings.manage' || store.readTuples({ object, relation, subject, limit: 1 }).tuples.length > 0;
}
