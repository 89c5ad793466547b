import type { Tuple } from '#engine';
import type { PlainKey, Texts } from '../../texts/index.ts';

/**
 * The permissions that guard Relata's own endpoints: one for each resource and verb. Every organization has them from
 * its first moment. Their slugs are never given to a permission of an organization's own. Each with what it lets do.
 */
export const systemPermissions = {
  'settings.manage': 'rights.settingsManage',
  'settings.read': 'rights.settingsRead',
  'authz:check': 'rights.authzCheck',
  'tuples.read': 'rights.tuplesRead',
  'tuples.write': 'rights.tuplesWrite',
  'models.read': 'rights.modelsRead',
  'users.read': 'rights.usersRead',
  'users.create': 'rights.usersCreate',
  'users.update': 'rights.usersUpdate',
  'users.delete': 'rights.usersDelete',
  'users.block': 'rights.usersBlock',
  'users.verify': 'rights.usersVerify',
  'users.reset_password': 'rights.usersResetPassword',
  'users.reset_mfa': 'rights.usersResetMfa',
  'roles.read': 'rights.rolesRead',
  'roles.create': 'rights.rolesCreate',
  'roles.update': 'rights.rolesUpdate',
  'roles.delete': 'rights.rolesDelete',
  'roles.assign': 'rights.rolesAssign',
  'permissions.read': 'rights.permissionsRead',
  'permissions.create': 'rights.permissionsCreate',
  'permissions.update': 'rights.permissionsUpdate',
  'permissions.delete': 'rights.permissionsDelete',
  'permissions.grant': 'rights.permissionsGrant',
  'groups.read': 'rights.groupsRead',
  'groups.create': 'rights.groupsCreate',
  'groups.update': 'rights.groupsUpdate',
  'groups.delete': 'rights.groupsDelete',
  'groups.members': 'rights.groupsMembers',
  'scopes.read': 'rights.scopesRead',
  'scopes.manage': 'rights.scopesManage',
  'policies.read': 'rights.policiesRead',
  'policies.manage': 'rights.policiesManage',
  'sessions.read': 'rights.sessionsRead',
  'sessions.revoke': 'rights.sessionsRevoke',
  'tokens.read': 'rights.tokensRead',
  'tokens.revoke': 'rights.tokensRevoke',
  'audit.read': 'rights.auditRead',
  'audit.manage': 'rights.auditManage',
  'agents.manage': 'rights.agentsManage',
  'clients.read': 'rights.clientsRead',
  'jit.approve': 'rights.jitApprove',
} as const satisfies Readonly<Record<string, PlainKey>>;

// Their order gives their numbers: new ones go to the end.
export type SystemPermission = keyof typeof systemPermissions;

/** The role that holds all of them. */
export const adminRole = 'ROLE_TENANT_ADMIN';

export function isSystemPermission(slug: string): slug is SystemPermission {
  return Object.hasOwn(systemPermissions, slug);
}

/** What a permission lets do, where it is one of the system's. */
export function systemPermissionText(t: Texts, slug: string): string | undefined {
  return isSystemPermission(slug) ? t(systemPermissions[slug]) : undefined;
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
