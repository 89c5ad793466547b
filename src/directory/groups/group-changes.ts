import { assign, revoke } from '../../kernel/assignments/index.ts';
import { existing, invalid, refused, type Transaction } from '../../kernel/transactions/index.ts';
import { groupRole, userGroup, userHolder } from '../assignments/index.ts';
import { groupRecords, roleNamed, type UserEntry, userNamed } from '../records/index.ts';

/** A user as a body names it, and where. */
export interface NamedUser {
  readonly id: string;
  readonly path: string;
}

/** Puts users into a group, all or none. Those who are in it already are no error. */
export function addMembers(transaction: Transaction, id: string, named: readonly NamedUser[]): void {
  const { store } = transaction;
  transaction.require(userGroup.right);
  const group = existing(groupRecords.get(store, id));
  const users = new Map(named.map((each) => requireNamed(transaction, each)).map((user) => [user.id, user]));
  assign(transaction, userGroup, group, [...users.values()]);
}

function requireNamed({ caller }: Transaction, { id, path }: NamedUser): UserEntry {
  const user = userNamed(caller, id);
  if (user === undefined) throw invalid(path, `there is no user ${id}`);
  return user;
}

/** @throws ProblemError 404 where the user is not in the group */
export function removeMember(transaction: Transaction, id: string, userId: string): void {
  const { store } = transaction;
  transaction.require(userGroup.right);
  const { name } = existing(groupRecords.get(store, id)).document;
  revoke(transaction, userGroup, name, userHolder(store, userNamed(transaction.caller, userId)?.id ?? userId));
}

/** Gives a role to a group, whose members inherit it. System roles are given to users alone. */
export function addRole(transaction: Transaction, id: string, roleId: string): void {
  const { store } = transaction;
  transaction.require(groupRole.right);
  const group = existing(groupRecords.get(store, id));
  const role = roleNamed(store, roleId);
  if (role === undefined) throw invalid('roleId', `there is no role ${roleId}`);
  const refusal = groupRole.refusal(role.document);
  if (refusal !== undefined) throw refused(refusal, 'roleId');
  assign(transaction, groupRole, role, [group]);
}

/** @throws ProblemError 404 where the group does not have it */
export function removeRole(transaction: Transaction, id: string, roleId: string): void {
  const { store } = transaction;
  transaction.require(groupRole.right);
  const group = existing(groupRecords.get(store, id));
  const { slug } = existing(roleNamed(store, roleId)).document;
  revoke(transaction, groupRole, slug, group);
}
