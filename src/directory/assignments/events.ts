import { z } from 'zod';
import { type DomainEvent, defineEvent, resourceNames } from '../../kernel/events/index.ts';
import type { RoleEntry } from '../records/index.ts';

const absent = z.null();
const text = z.string();

const ofRole = {
  /** Null where the role has no record any more. */
  roleId: text.nullable(),
  /** The role's slug. */
  role: text,
};

/** A user, or all members of a group. */
const roleHolder = z.union([
  z.strictObject({
    ...ofRole,
    userId: text,
    /** Null where the user has no record. */
    email: text.nullable(),
    groupId: absent,
    group: absent,
  }),
  z.strictObject({ ...ofRole, userId: absent, email: absent, groupId: text, group: text }),
]);

type RoleHolder = z.output<typeof roleHolder>;

const exampleHolder: RoleHolder = {
  roleId: '01920000-0000-7000-8000-00000000000a',
  role: 'editor',
  userId: '01920000-0000-7000-8000-000000000001',
  email: 'anne@example.com',
  groupId: null,
  group: null,
};

const aboutHolder = ({ userId, role, group }: RoleHolder) => resourceNames({ user: userId, role, group });

const roleChangeSchema = z.strictObject({
  user_id: text,
  email: text.nullable(),
  role_id: ofRole.roleId,
  role: text,
  change: z.enum(['assigned', 'unassigned']),
});

/** The third catalog tells it of users alone. */
const roleChange = (change: 'assigned' | 'unassigned') => (data: RoleHolder) => {
  const { userId, email, roleId, role } = data;
  return userId === null ? undefined : { user_id: userId, email, role_id: roleId, role, change };
};

export const roleAssigned = defineEvent({
  type: 'role.assigned',
  data: roleHolder,
  example: exampleHolder,
  about: aboutHolder,
  becomes: {
    a: { name: 'role.assigned' },
    c: { name: 'user.role.changed', schema: roleChangeSchema, data: roleChange('assigned') },
  },
});

export const roleUnassigned = defineEvent({
  type: 'role.unassigned',
  data: roleHolder,
  example: exampleHolder,
  about: aboutHolder,
  becomes: {
    a: { name: 'role.unassigned' },
    c: { name: 'user.role.changed', schema: roleChangeSchema, data: roleChange('unassigned') },
  },
});

const groupMember = z.strictObject({
  userId: text,
  /** Null where the user has no record. */
  email: text.nullable(),
  /** Null where the group has no record any more. */
  groupId: text.nullable(),
  /** The group's name. */
  group: text,
});

const exampleMember = {
  userId: exampleHolder.userId ?? '',
  email: exampleHolder.email,
  groupId: '01920000-0000-7000-8000-00000000000b',
  group: 'engineering',
};

const aboutMember = ({ userId, group }: z.output<typeof groupMember>) => resourceNames({ user: userId, group });

export const groupMemberAdded = defineEvent({
  type: 'group.member_added',
  data: groupMember,
  example: exampleMember,
  about: aboutMember,
  becomes: { a: { name: 'group.member_added' } },
});

export const groupMemberRemoved = defineEvent({
  type: 'group.member_removed',
  data: groupMember,
  example: exampleMember,
  about: aboutMember,
  becomes: { a: { name: 'group.member_removed' } },
});

const role = z.strictObject({ id: z.string(), slug: z.string(), name: z.string() });
const exampleRole = { id: '01920000-0000-7000-8000-00000000000a', slug: 'editor', name: 'Editor' };

export const roleCreated = defineEvent({
  type: 'role.created',
  data: z.strictObject({ role }),
  example: { role: exampleRole },
  about: ({ role: { slug } }) => resourceNames({ role: slug }),
  becomes: { b: { name: 'role.created' } },
});

export const roleUpdated = defineEvent({
  type: 'role.updated',
  data: z.strictObject({
    role,
    reason: z.enum(['changed', 'permission_added', 'permission_removed']),
    /** The permission that was put in or taken out. `id` is null where it has no record any more. */
    permission: z.strictObject({ id: z.string().nullable(), slug: z.string() }).nullable(),
  }),
  example: { role: exampleRole, reason: 'permission_added', permission: { id: '1001', slug: 'docs:read' } },
  about: ({ role: { slug } }) => resourceNames({ role: slug }),
  becomes: { b: { name: 'role.updated' } },
});

export const roleEvents = {
  create: (entry: RoleEntry): DomainEvent => roleCreated.of({ role: about(entry) }),
  update: (entry: RoleEntry): DomainEvent =>
    roleUpdated.of({ role: about(entry), reason: 'changed', permission: null }),
  permission: (
    reason: 'permission_added' | 'permission_removed',
    permission: { readonly id: string | null; readonly slug: string },
    entry: RoleEntry,
  ): DomainEvent => roleUpdated.of({ role: about(entry), reason, permission }),
};

function about({ id, document: { slug, name } }: RoleEntry): z.output<typeof role> {
  return { id, slug, name };
}
