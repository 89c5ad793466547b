import type { RecordEntry, Store } from '#engine';
import {
  defineAssignment,
  type GivenDescription,
  type GivenName,
  type Holder,
} from '../../kernel/assignments/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import { requireHeldPermission } from '../../kernel/transactions/index.ts';
import {
  expectedGroupVersions,
  expectedRoleVersions,
  findGroup,
  findPermission,
  findRole,
  type GroupEntry,
  getUser,
  groupRecords,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  roleRecords,
  type UserEntry,
  userRecords,
} from '../records/index.ts';
import { groupMemberAdded, groupMemberRemoved, roleAssigned, roleUnassigned } from './events.ts';
import { roleEvents } from './role-events.ts';

const role: GivenDescription<RoleEntry['document']> = {
  type: 'role',
  records: roleRecords,
  slugOf: ({ slug }) => slug,
  relation: 'assignee',
  expectedVersions: (store, { document }) => expectedRoleVersions(store, document.slug),
  bySlug: findRole,
};

const group: GivenDescription<GroupEntry['document']> = {
  type: 'group',
  records: groupRecords,
  slugOf: ({ name }) => name,
  relation: 'member',
  isOpenToAll: true,
  expectedVersions: (store, { document }) => expectedGroupVersions(store, document.name),
  bySlug: findGroup,
};

const permission: GivenDescription<PermissionEntry['document']> = {
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
  audited: () => ({}),
};

/** A user as a holder, also one that tuples name and that has no record (any more). To be called inside a snapshot. */
export function userHolder(store: Store, id: string): UserEntry {
  // nothing of the document is needed but the address, which is then not told
  return getUser(store, id) ?? { id, version: 0, document: {} as UserEntry['document'] };
}

const admin = 'admin.action';

function aboutUser({ id, document }: RecordEntry<Partial<UserEntry['document']>>) {
  return { userId: id, email: document.email ?? null };
}

function ofUser(role: GivenName, user: UserEntry) {
  return { roleId: role.id, role: role.slug, ...aboutUser(user), groupId: null, group: null };
}

function ofGroup(role: GivenName, { id, document }: GroupEntry) {
  return { roleId: role.id, role: role.slug, userId: null, email: null, groupId: id, group: document.name };
}

function ofMember(group: GivenName, user: UserEntry) {
  return { ...aboutUser(user), groupId: group.id, group: group.slug };
}

export const userRole = defineAssignment({
  given: role,
  holder: user,
  right: 'roles.assign',
  told: {
    given: {
      eventType: 'role.assigned',
      action: 'role.assign',
      event: (given, user) => roleAssigned.of(ofUser(given, user)),
    },
    taken: {
      eventType: admin,
      action: 'role.unassign',
      event: (taken, user) => roleUnassigned.of(ofUser(taken, user)),
    },
  },
});

export const userGroup = defineAssignment({
  given: group,
  holder: user,
  right: 'groups.members',
  told: {
    given: {
      eventType: admin,
      action: 'group.add_member',
      event: (given, user) => groupMemberAdded.of(ofMember(given, user)),
    },
    taken: {
      eventType: admin,
      action: 'group.remove_member',
      event: (taken, user) => groupMemberRemoved.of(ofMember(taken, user)),
    },
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
    audited: ({ document: { name } }) => ({ group: name }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'roles.assign',
  refusal: ({ isSystem }) => (isSystem ? 'System roles cannot be assigned to groups.' : undefined),
  told: {
    given: {
      eventType: 'role.assigned',
      action: 'group.role_add',
      event: (given, holder) => roleAssigned.of(ofGroup(given, holder)),
    },
    taken: {
      eventType: admin,
      action: 'group.role_remove',
      event: (taken, holder) => roleUnassigned.of(ofGroup(taken, holder)),
    },
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
    audited: ({ document: { slug } }) => ({ slug }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'permissions.grant',
  told: {
    given: {
      eventType: admin,
      action: 'role.permission_add',
      event: (given, holder) => roleEvents.permission('permission_added', given, holder),
    },
    taken: {
      eventType: admin,
      action: 'role.permission_remove',
      event: (taken, holder) => roleEvents.permission('permission_removed', taken, holder),
    },
  },
});
