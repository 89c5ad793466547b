import type { RequestExamples } from '../../../http/index.ts';

const dora = { path: { userId: 'dora@demo.example' } };
const accountant = { path: { roleId: 'accountant' } };
const finance = { path: { groupId: 'finance' } };
const approve = { path: { permissionId: 'invoice:approve' } };

/** In the order in which they can be sent: what is made is read, changed, given and taken away again. */
export const directoryExamples: RequestExamples = {
  createPermission: { body: { slug: 'invoice:approve', name: 'Approve invoices' } },
  listPermissions: { query: { search: 'invoice', limit: '10' } },
  getPermission: approve,
  updatePermission: { ...approve, body: { name: 'Approve invoices', description: 'Of every supplier' } },

  createRole: { body: { slug: 'accountant', name: 'Accountant', description: 'Pays what others have ordered' } },
  listRoles: { query: { search: 'account', sortBy: 'name', sortOrder: 'asc' } },
  getRole: accountant,
  updateRole: { ...accountant, body: { name: 'Accountant', description: 'Pays what was approved' } },
  addRolePermissions: { ...accountant, body: { permissionIds: ['invoice:approve', 'document:read'] } },
  listRolePermissions: accountant,
  getPermissionUsage: approve,
  listPermissionRoles: approve,

  createGroup: { body: { name: 'finance', displayName: 'Finance', description: 'Whoever pays' } },
  listGroups: { query: { search: 'fin' } },
  getGroup: finance,
  updateGroup: { ...finance, body: { displayName: 'Finance and payroll' } },
  addGroupRole: { ...finance, body: { roleId: 'accountant' } },
  listGroupRoles: finance,

  createUser: {
    body: {
      email: 'dora@demo.example',
      name: 'Dora Novak',
      password: 'lantern-orbit-velvet',
      roles: ['reader'],
      metadata: { costCenter: '4711' },
    },
  },
  listUsers: { query: { search: 'dora', isActive: 'true', limit: '10' } },
  getUser: dora,
  updateUser: { ...dora, body: { name: 'Dora Novak', locale: 'en' } },
  putUser: { ...dora, body: { name: 'Dora Novak', locale: 'de' } },
  setUserPassword: { ...dora, body: { password: 'harbour-maple-quartz' } },
  sendUserPasswordReset: dora,
  sendUserEmailVerification: dora,
  markUserVerified: dora,
  blockUser: dora,
  unblockUser: dora,
  getUserMfa: dora,
  resetUserMfa: dora,
  listUserIdentities: dora,
  listUserApplications: dora,
  addGroupMembers: { ...finance, body: { userIds: ['dora@demo.example'] } },
  listGroupMembers: finance,
  addRoleUser: { ...accountant, body: { userId: 'dora@demo.example' } },
  listRoleUsers: accountant,
  addUserRole: { ...dora, body: { roleId: 'editor' } },
  setUserRoles: { ...dora, body: { roles: ['accountant', 'reader'] } },
  listUserRoles: dora,
  addUserGroup: { ...dora, body: { groupId: 'writers' } },
  setUserGroups: { ...dora, body: { groups: ['finance', 'writers'] } },
  listUserGroups: dora,
  addUserPermission: { ...dora, body: { permissionId: 'document:write' } },
  listUserPermissions: dora,

  removeUserPermission: { path: { ...dora.path, permissionId: 'document:write' } },
  removeUserGroup: { path: { ...dora.path, groupId: 'writers' } },
  removeUserRole: { path: { ...dora.path, roleId: 'reader' } },
  removeRoleUser: { path: { ...accountant.path, ...dora.path } },
  removeGroupMember: { path: { ...finance.path, ...dora.path } },
  deleteUser: dora,
  removeGroupRole: { path: { ...finance.path, ...accountant.path } },
  deleteGroup: finance,
  removeRolePermission: { path: { ...accountant.path, ...approve.path } },
  deleteRole: accountant,
  deletePermission: approve,
};
