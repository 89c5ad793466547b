import { assign, revoke } from '../../kernel/assignments/index.ts';
import { existing, invalid, type Transaction } from '../../kernel/transactions/index.ts';
import { rolePermission, userHolder, userRole } from '../assignments/index.ts';
import { permissionNamed, roleRecords, userNamed } from '../records/index.ts';

/** What a body names: one permission, or several. */
export type NamedPermissions =
  | { readonly permissionId: number | string; readonly permissionIds?: undefined }
  | { readonly permissionId?: undefined; readonly permissionIds: readonly (number | string)[] };

/** Puts permissions into a role, all or none. Those that are in it already are no error. */
export function addPermissions(transaction: Transaction, id: string, named: NamedPermissions): void {
  const { store } = transaction;
  transaction.require(rolePermission.right);
  const role = existing(roleRecords.get(store, id));
  const permissions = referencesOf(named).map(({ text, path }) => {
    const permission = permissionNamed(store, text);
    if (permission === undefined) throw invalid(path, `there is no permission ${text}`);
    return permission;
  });
  const each = new Map(permissions.map((permission) => [permission.id, permission]));
  for (const permission of each.values()) assign(transaction, rolePermission, permission, [role]);
}

function referencesOf({ permissionId, permissionIds = [] }: NamedPermissions) {
  if (permissionId !== undefined) return [{ text: String(permissionId), path: 'permissionId' }];
  const all = [...new Set(permissionIds)];
  return all.map((each) => ({ text: String(each), path: `permissionIds[${permissionIds.indexOf(each)}]` }));
}

/** @throws ProblemError 404 where the role does not have it */
export function removePermission(transaction: Transaction, id: string, permission: string): void {
  const { store } = transaction;
  transaction.require(rolePermission.right);
  const role = existing(roleRecords.get(store, id));
  const { slug } = existing(permissionNamed(store, permission)).document;
  revoke(transaction, rolePermission, slug, role);
}

/** Gives a role to a user. Whoever has it already keeps it, and that is no error. */
export function assignRole(transaction: Transaction, id: string, userId: string): void {
  const { store, caller } = transaction;
  transaction.require(userRole.right);
  const role = existing(roleRecords.get(store, id));
  const user = userNamed(caller, userId);
  if (user === undefined) throw invalid('userId', `there is no user ${userId}`);
  assign(transaction, userRole, role, [user]);
}

/** @throws ProblemError 404 where the user does not have it by itself */
export function unassignRole(transaction: Transaction, id: string, userId: string): void {
  const { store } = transaction;
  transaction.require(userRole.right);
  const { slug } = existing(roleRecords.get(store, id)).document;
  revoke(transaction, userRole, slug, userHolder(store, userNamed(transaction.caller, userId)?.id ?? userId));
}
