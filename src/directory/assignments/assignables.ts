import type { AssignableDescription } from '../../kernel/assignments/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import { requireHeldPermission } from '../../kernel/transactions/index.ts';
import {
  expectedGroupVersions,
  expectedRoleVersions,
  findGroup,
  findPermission,
  findRole,
  type GroupEntry,
  groupRecords,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  roleRecords,
} from '../records/index.ts';
import { groupMaker, permissionMaker, roleMaker } from './makers.ts';

export const role: AssignableDescription<RoleEntry['document']> = {
  type: 'role',
  records: roleRecords,
  slugOf: ({ slug }) => slug,
  relation: 'assignee',
  right: 'roles.assign',
  expectedVersions: (store, { document }) => expectedRoleVersions(store, document.slug),
  bySlug: findRole,
  maker: roleMaker,
};

export const group: AssignableDescription<GroupEntry['document']> = {
  type: 'group',
  records: groupRecords,
  slugOf: ({ name }) => name,
  relation: 'member',
  right: 'groups.members',
  isOpenToAll: true,
  expectedVersions: (store, { document }) => expectedGroupVersions(store, document.name),
  bySlug: findGroup,
  maker: groupMaker,
};

export const permission: AssignableDescription<PermissionEntry['document']> = {
  type: 'permission',
  records: permissionRecords,
  slugOf: ({ slug }) => slug,
  relation: 'granted',
  right: 'permissions.grant',
  source: permissionObject,
  requireHeld: requireHeldPermission,
  bySlug: findPermission,
  maker: permissionMaker,
};

/** How the audit log tells that something is given to somebody, and taken: to a user or a program. */
export const toldOf = {
  role: {
    assigned: { eventType: 'role.assigned', action: 'role.assign' },
    revoked: { eventType: 'admin.action', action: 'role.unassign' },
  },
  group: {
    assigned: { eventType: 'admin.action', action: 'group.add_member' },
    revoked: { eventType: 'admin.action', action: 'group.remove_member' },
  },
  permission: {
    assigned: { eventType: 'admin.action', action: 'permission.grant' },
    revoked: { eventType: 'admin.action', action: 'permission.revoke' },
  },
};
