import type { Store } from '#engine';
import { defineAssignment, type Given, type Holder } from '../../kernel/assignments/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import { requireHeldPermission } from '../../kernel/transactions/index.ts';
import {
  findGroup,
  findPermission,
  findRole,
  type GroupEntry,
  getUser,
  groupRecords,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  restsOnGroup,
  restsOnRole,
  roleRecords,
  type UserEntry,
  userRecords,
} from '../records/index.ts';

const role: Given<RoleEntry['document']> = {
  type: 'role',
  records: roleRecords,
  slugOf: ({ slug }) => slug,
  relation: 'assignee',
  restsOn: (store, { document }) => restsOnRole(store, document.slug),
  bySlug: findRole,
};

const group: Given<GroupEntry['document']> = {
  type: 'group',
  records: groupRecords,
  slugOf: ({ name }) => name,
  relation: 'member',
  isOpenToAll: true,
  restsOn: (store, { document }) => restsOnGroup(store, document.name),
  bySlug: findGroup,
};

const permission: Given<PermissionEntry['document']> = {
  type: 'permission',
  records: permissionRecords,
  slugOf: ({ slug }) => slug,
  relation: 'granted',
  source: permissionObject,
  requireHeld: requireHeldPermission,
  bySlug: findPermission,
};

const user: Holder<UserEntry['document']> = {
  type: 'user',
  records: userRecords,
  nameOf: ({ id }) => id,
  byName: userHolder,
  told: ({ id, document: { email } }) => ({ userId: id, email }),
  audited: () => ({}),
};

/** A user as a holder, also one that tuples name and that has no record (any more). To be called inside a snapshot. */
export function userHolder(store: Store, id: string): UserEntry {
  // nothing of the document is needed but the address, which is then not told
  return getUser(store, id) ?? { id, version: 0, document: {} as UserEntry['document'] };
}

const admin = 'admin.action';

export const userRole = defineAssignment({
  given: role,
  holder: user,
  right: 'roles.assign',
  told: {
    given: { eventType: 'role.assigned', action: 'role.assign', event: 'role.assigned' },
    taken: { eventType: admin, action: 'role.unassign', event: 'role.unassigned' },
  },
});

export const userGroup = defineAssignment({
  given: group,
  holder: user,
  right: 'groups.members',
  told: {
    given: { eventType: admin, action: 'group.add_member', event: 'group.member_added' },
    taken: { eventType: admin, action: 'group.remove_member', event: 'group.member_removed' },
  },
});

export const userPermission = defineAssignment({
  given: permission,
  holder: user,
  right: 'permissions.grant',
  told: {
    given: { eventType: admin, action: 'permission.grant' },
    taken: { eventType: admin, action: 'permission.revoke' },
  },
});

export const groupRole = defineAssignment({
  given: role,
  holder: {
    type: 'group',
    records: groupRecords,
    relation: 'member',
    nameOf: ({ document }) => document.name,
    byName: findGroup,
    told: ({ id, document: { name } }) => ({ groupId: id, group: name }),
    audited: ({ document: { name } }) => ({ group: name }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'roles.assign',
  refusal: ({ isSystem }) => (isSystem ? 'System roles cannot be assigned to groups.' : undefined),
  told: {
    given: { eventType: 'role.assigned', action: 'group.role_add', event: 'role.assigned' },
    taken: { eventType: admin, action: 'group.role_remove', event: 'role.unassigned' },
  },
});

export const rolePermission = defineAssignment({
  given: permission,
  holder: {
    type: 'role',
    records: roleRecords,
    relation: 'assignee',
    nameOf: ({ document }) => document.slug,
    byName: findRole,
    told: ({ id, document: { slug, name } }) => ({ role: { id, slug, name } }),
    audited: ({ document: { slug } }) => ({ slug }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'permissions.grant',
  told: {
    given: { eventType: admin, action: 'role.permission_add', event: 'role.updated' },
    taken: { eventType: admin, action: 'role.permission_remove', event: 'role.updated' },
  },
});
