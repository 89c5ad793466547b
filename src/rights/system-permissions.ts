import type { Tuple } from '#engine';

/**
 * The permissions that guard Relata's own endpoints: one for each resource and verb. Every organization has them from
 * its first moment. Their slugs are never given to a permission of an organization's own.
 */
export const systemPermissions = {
  'settings.manage': 'Full administration: settings, clients, keys, models',
  'authz:check': 'Ask about other subjects, and supply context',
  'tuples.read': 'Read tuples, lists, expansions, explanations and changes',
  'tuples.write': 'Write and delete tuples',
  'models.read': 'Read authorization models',
  'users.manage': 'Manage users',
  'agents.manage': 'Manage agents',
  'groups.manage': 'Manage groups and their members',
  'roles.manage': 'Manage roles and their assignments',
  'permissions.manage': 'Manage permissions and their grants',
} as const;

export type SystemPermission = keyof typeof systemPermissions;

/** The role that holds all of them. */
export const adminRole = 'ROLE_TENANT_ADMIN';

export function isSystemPermission(slug: string): slug is SystemPermission {
  return Object.hasOwn(systemPermissions, slug);
}

/** What a new organization begins with: the administrators' role, holding every system permission. */
export function systemTuples(): Tuple[] {
  return Object.keys(systemPermissions).map((slug) => ({
    object: permissionObject(slug),
    relation: 'granted',
    subject: `role:${adminRole}#assignee`,
  }));
}

export function permissionObject(slug: string): string {
  return `permission:${slug}`;
}
