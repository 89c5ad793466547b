import type { SystemPermission } from '../../../kernel/rights/index.ts';

/** What a credential for provisioning may do, whoever has it: users and groups, and nothing that lasts beyond them. */
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
