import type { GroupEntry, PermissionEntry, RoleEntry } from '../records/index.ts';

/** How the audit log tells of roles, groups and permissions, whoever makes them: administrators, or tuples. */
export const toldAs = {
  role: { name: 'role', audited: ({ document: { slug } }: RoleEntry) => ({ metadata: { slug } }) },
  group: { name: 'group', audited: ({ document: { name } }: GroupEntry) => ({ metadata: { group: name } }) },
  permission: {
    name: 'permission',
    audited: ({ document: { number, slug } }: PermissionEntry) => ({
      targetId: String(number),
      metadata: { slug },
    }),
  },
} as const;
