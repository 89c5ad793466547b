import type { RecordEntry, Store } from '#engine';
import { type AssignableName, defineAssignment, type Holder } from '../../kernel/assignments/index.ts';
import {
  findGroup,
  findRole,
  type GroupEntry,
  getUser,
  groupRecords,
  roleRecords,
  type UserEntry,
  userRecords,
} from '../records/index.ts';
import { group, permission, role, toldOf } from './assignables.ts';
import { groupMemberAdded, groupMemberRemoved, roleAssigned, roleEvents, roleUnassigned } from './events.ts';

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

function ofUser(role: AssignableName, user: UserEntry) {
  return { roleId: role.id, role: role.slug, ...aboutUser(user), groupId: null, group: null };
}

function ofGroup(role: AssignableName, { id, document }: GroupEntry) {
  return { roleId: role.id, role: role.slug, userId: null, email: null, groupId: id, group: document.name };
}

function ofMember(group: AssignableName, user: UserEntry) {
  return { ...aboutUser(user), groupId: group.id, group: group.slug };
}

export const userRole = defineAssignment({
  assignable: role,
  holder: user,
  told: {
    assigned: { ...toldOf.role.assigned, event: (role, user) => roleAssigned.of(ofUser(role, user)) },
    revoked: { ...toldOf.role.revoked, event: (role, user) => roleUnassigned.of(ofUser(role, user)) },
  },
});

export const userGroup = defineAssignment({
  assignable: group,
  holder: user,
  told: {
    assigned: { ...toldOf.group.assigned, event: (group, user) => groupMemberAdded.of(ofMember(group, user)) },
    revoked: { ...toldOf.group.revoked, event: (group, user) => groupMemberRemoved.of(ofMember(group, user)) },
  },
});

export const userPermission = defineAssignment({ assignable: permission, holder: user, told: toldOf.permission });

export const groupRole = defineAssignment({
  assignable: role,
  holder: {
    type: 'group',
    records: groupRecords,
    relation: 'member',
    nameOf: ({ document }) => document.name,
    byName: findGroup,
    audited: ({ document: { name } }) => ({ group: name }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  refusal: ({ isSystem }) => (isSystem ? 'System roles cannot be assigned to groups.' : undefined),
  told: {
    assigned: {
      eventType: 'role.assigned',
      action: 'group.role_add',
      event: (assigned, holder) => roleAssigned.of(ofGroup(assigned, holder)),
    },
    revoked: {
      eventType: admin,
      action: 'group.role_remove',
      event: (revoked, holder) => roleUnassigned.of(ofGroup(revoked, holder)),
    },
  },
});

export const rolePermission = defineAssignment({
  assignable: permission,
  holder: {
    type: 'role',
    records: roleRecords,
    relation: 'assignee',
    nameOf: ({ document }) => document.slug,
    byName: findRole,
    audited: ({ document: { slug } }) => ({ slug }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  told: {
    assigned: {
      eventType: admin,
      action: 'role.permission_add',
      event: (assigned, holder) => roleEvents.permission('permission_added', assigned, holder),
    },
    revoked: {
      eventType: admin,
      action: 'role.permission_remove',
      event: (revoked, holder) => roleEvents.permission('permission_removed', revoked, holder),
    },
  },
});
