import type { Tuple } from '#engine';

/**
 * The permissions that guard Relata's own endpoints: one for each resource and verb. Every organization has them from
 * its first moment. Their slugs are never given to a permission of an organization's own.
 */
export const systemPermissions = {
  'settings.manage': 'Full administration: whoever holds it may do everything in the organization',
  'settings.read': 'Read settings, the profile of the organization and providers',
  'authz:check': 'Ask about other subjects, and supply context',
  'tuples.read': 'Read tuples, lists, expansions, explanations and changes',
  'tuples.write': 'Write and delete tuples',
  'models.read': 'Read authorization models',
  'users.read': 'Read users',
  'users.create': 'Create users',
  'users.update': 'Change profiles of users',
  'users.delete': 'Delete users',
  'users.block': 'Block and unblock users',
  'users.verify': 'Mark e-mail addresses as verified, and send verification mail',
  'users.reset_password': 'Set passwords of users, and send reset mail',
  'users.reset_mfa': 'Reset the second factors of users',
  'roles.read': 'Read roles',
  'roles.create': 'Create roles',
  'roles.update': 'Change roles',
  'roles.delete': 'Delete roles',
  'roles.assign': 'Assign roles to users and groups, and take them away',
  'permissions.read': 'Read permissions and their usage',
  'permissions.create': 'Create permissions',
  'permissions.update': 'Change permissions',
  'permissions.delete': 'Delete permissions',
  'permissions.grant': 'Grant permissions to roles and users, and take them away',
  'groups.read': 'Read groups',
  'groups.create': 'Create groups',
  'groups.update': 'Change groups',
  'groups.delete': 'Delete groups',
  'groups.members': 'Put users into groups, and take them out',
  'scopes.read': 'Read scopes',
  'scopes.manage': 'Create and delete scopes',
  'policies.read': 'Read attribute policies',
  'policies.manage': 'Create, change and delete attribute policies',
  'sessions.read': 'Read sessions',
  'sessions.revoke': 'End sessions',
  'tokens.read': 'Read tokens',
  'tokens.revoke': 'Revoke tokens',
  'audit.read': 'Read and export the audit log',
  'audit.manage': 'Change how long the audit log is kept',
  'agents.manage': 'Manage agents',
  'clients.read': 'Read OAuth clients',
  'jit.approve': 'Decide what agents are lent for their tasks',
} as const;

// Their order gives their numbers: new ones go to the end.
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
