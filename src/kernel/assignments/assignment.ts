import type { Precondition, RecordEntry, Store, Tuple } from '#engine';
import {
  assignment,
  findGroup,
  findPermission,
  findRole,
  type GroupEntry,
  getUser,
  grant,
  groupMembers,
  groupRecords,
  membership,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  restsOnGroup,
  restsOnRole,
  roleAssignees,
  roleRecords,
  type UserEntry,
  userRecords,
  userSubject,
} from '../../directory/records/index.ts';
import type { Caller } from '../organizations/index.ts';
import type { RecordKind } from '../records/index.ts';
import { permissionObject, type SystemPermission } from '../rights/index.ts';
import { type AdminParts, requireHeldPermission, requireHeldThrough } from '../transactions/index.ts';

export type Direction = 'given' | 'taken';

/** What can be given: a role, membership of a group, a permission. */
interface Given<Entry> {
  readonly type: 'role' | 'group' | 'permission';
  readonly slugOf: (entry: Entry) => string;
  /** The tuple that says that a subject has it. */
  readonly tuple: (slug: string, subject: string) => Tuple;
  /** Whose rights are given with it: `role:editor#assignee`, `permission:docs:read`. */
  readonly source: (slug: string) => string;
  /** What it gives must be what it gave when that was judged. */
  readonly restsOn: (store: Store, entry: Entry) => readonly Precondition[];
  /** Nobody gives what they do not hold. @throws ProblemError 403 */
  readonly requireHeld: (parts: AdminParts, caller: Caller, slug: string, now: number) => void;
  readonly bySlug: (store: Store, slug: string) => Entry | undefined;
}

/** Who can have something: a user, the members of a group, whoever has a role. */
interface Holder<Document> {
  readonly type: 'user' | 'group' | 'role';
  readonly records: RecordKind<Document>;
  readonly subject: (entry: RecordEntry<Document>) => string;
  /** What events say about it, and audit entries beside its id. */
  readonly told: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  readonly audited: (entry: RecordEntry<Document>) => Readonly<Record<string, unknown>>;
  /**
   * The holder's record as it is written beside the tuple, where others are given what the holder has: whoever gives
   * that at the same moment judges again.
   */
  readonly touched?: (document: Document, now: number) => Document;
}

/** How an assignment is put on record and told. */
export interface Told {
  readonly eventType: string;
  readonly action: string;
  readonly event?: string;
}

/** That something is given to somebody: one relation, with the right that gives and takes it, and how it is told. */
export interface Assignment<Entry extends RecordEntry<object>, Document extends object> {
  readonly given: Given<Entry>;
  readonly holder: Holder<Document>;
  readonly right: SystemPermission;
  readonly told: Readonly<Record<Direction, Told>>;
}

const role: Given<RoleEntry> = {
  type: 'role',
  slugOf: ({ document }) => document.slug,
  tuple: assignment,
  source: roleAssignees,
  restsOn: (store, { document }) => restsOnRole(store, document.slug),
  requireHeld: (parts, caller, slug, now) => requireHeldThrough(parts, caller, roleAssignees(slug), now),
  bySlug: findRole,
};

const group: Given<GroupEntry> = {
  type: 'group',
  slugOf: ({ document }) => document.name,
  tuple: membership,
  source: groupMembers,
  restsOn: (store, { document }) => restsOnGroup(store, document.name),
  requireHeld: (parts, caller, slug, now) => requireHeldThrough(parts, caller, groupMembers(slug), now),
  bySlug: findGroup,
};

const permission: Given<PermissionEntry> = {
  type: 'permission',
  slugOf: ({ document }) => document.slug,
  tuple: grant,
  source: permissionObject,
  restsOn: (store, entry) => [permissionRecords.same(store, entry)],
  requireHeld: requireHeldPermission,
  bySlug: findPermission,
};

const user: Holder<UserEntry['document']> = {
  type: 'user',
  records: userRecords,
  subject: ({ id }) => userSubject(id),
  told: ({ id, document: { email } }) => ({ userId: id, email }),
  audited: () => ({}),
};

/** A user as a holder, also one that tuples name and that has no record (any more). To be called inside a snapshot. */
export function userHolder(store: Store, id: string): UserEntry {
  // nothing of the document is needed but the address, which is then not told
  return getUser(store, id) ?? { id, version: 0, document: {} as UserEntry['document'] };
}

const admin = 'admin.action';

export const userRole: Assignment<RoleEntry, UserEntry['document']> = {
  given: role,
  holder: user,
  right: 'roles.assign',
  told: {
    given: { eventType: 'role.assigned', action: 'role.assign', event: 'role.assigned' },
    taken: { eventType: admin, action: 'role.unassign', event: 'role.unassigned' },
  },
};

export const userGroup: Assignment<GroupEntry, UserEntry['document']> = {
  given: group,
  holder: user,
  right: 'groups.members',
  told: {
    given: { eventType: admin, action: 'group.add_member', event: 'group.member_added' },
    taken: { eventType: admin, action: 'group.remove_member', event: 'group.member_removed' },
  },
};

export const userPermission: Assignment<PermissionEntry, UserEntry['document']> = {
  given: permission,
  holder: user,
  right: 'permissions.grant',
  told: {
    given: { eventType: admin, action: 'permission.grant' },
    taken: { eventType: admin, action: 'permission.revoke' },
  },
};

export const groupRole: Assignment<RoleEntry, GroupEntry['document']> = {
  given: role,
  holder: {
    type: 'group',
    records: groupRecords,
    subject: ({ document }) => groupMembers(document.name),
    told: ({ id, document: { name } }) => ({ groupId: id, group: name }),
    audited: ({ document: { name } }) => ({ group: name }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'roles.assign',
  told: {
    given: { eventType: 'role.assigned', action: 'group.role_add', event: 'role.assigned' },
    taken: { eventType: admin, action: 'group.role_remove', event: 'role.unassigned' },
  },
};

export const rolePermission: Assignment<PermissionEntry, RoleEntry['document']> = {
  given: permission,
  holder: {
    type: 'role',
    records: roleRecords,
    subject: ({ document }) => roleAssignees(document.slug),
    told: ({ id, document: { slug, name } }) => ({ role: { id, slug, name } }),
    audited: ({ document: { slug } }) => ({ slug }),
    touched: (document, now) => ({ ...document, updatedAt: now }),
  },
  right: 'permissions.grant',
  told: {
    given: { eventType: admin, action: 'role.permission_add', event: 'role.updated' },
    taken: { eventType: admin, action: 'role.permission_remove', event: 'role.updated' },
  },
};
