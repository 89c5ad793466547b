import { assign, revoke } from '../../kernel/assignments/index.ts';
import { existing, invalid, type Transaction } from '../../kernel/transactions/index.ts';
import { rolePermission, userHolder, userRole } from '../assignments/index.ts';
import { getPermission, getUser, roleRecords } from '../records/index.ts';

/** What a body names: one permission, or several. */
export type NamedPermissions =
  | { readonly permissionId: number; readonly permissionIds?: undefined }
  | { readonly permissionId?: undefined; readonly permissionIds: readonly number[] };

/** Puts permissions into a role, all or none. Those that are in it already are no error. */
export function addPermissions(transaction: Transaction, id: string, named: NamedPermissions): void {
  const { store } = transaction;
  transaction.require(rolePermission.right);
  const role = existing(roleRecords.get(store, id));
  const permissions = numbersOf(named).map(({ number, path }) => {
    const permission = getPermission(store, number);
    if (permission === undefined) throw invalid(path, `there is no permission ${number}`);
    return permission;
  });
  for (const permission of permissions) assign(transaction, rolePermission, permission, [role]);
}

function numbersOf({ permissionId, permissionIds = [] }: NamedPermissions) {
  if (permissionId !== undefined) return [{ number: permissionId, path: 'permissionId' }];
  const numbers = [...new Set(permissionIds)];
  return numbers.map((number) => ({ number, path: `permissionIds[${permissionIds.indexOf(number)}]` }));
}

/** @throws ProblemError 404 where the role does not have it */
export function removePermission(transaction: Transaction, id: string, number: number): void {
  const { store } = transaction;
  transaction.require(rolePermission.right);
  const role = existing(roleRecords.get(store, id));
  const { slug } = existing(getPermission(store, number)).document;
  revoke(transaction, rolePermission, slug, role);
}

/** Gives a role to a user. Whoever has it already keeps it, and that is no error. */
export function assignRole(transaction: Transaction, id: string, userId: string): void {
  const { store } = transaction;
  transaction.require(userRole.right);
  const role = existing(roleRecords.get(store, id));
  const user = getUser(store, userId);
  if (user === undefined) throw invalid('userId', 'there is no such user');
  assign(transaction, userRole, role, [user]);
}

/** @throws ProblemError 404 where the user does not have it by itself */
export function unassignRole(transaction: Transaction, id: string, userId: string): void {
  const { store } = transaction;
  transaction.require(userRole.right);
  const { slug } = existing(roleRecords.get(store, id)).document;
  revoke(transaction, userRole, slug, userHolder(store, userId));
}
