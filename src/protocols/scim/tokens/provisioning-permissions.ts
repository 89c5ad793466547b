import type { SystemPermission } from '../../../kernel/rights/index.ts';

/** The permissions of every credential of SCIM: users and groups, but no roles, keys or settings. */
export const provisioningPermissions: readonly SystemPermission[] = [
  'users.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.block',
  'users.verify',
  'users.reset_password',
  'groups.read',
  'groups.create',
  'groups.update',
  'groups.delete',
  'groups.members',
];
