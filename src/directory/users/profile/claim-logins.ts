import type { Precondition, Store } from '#engine';
import { taken } from '../../../kernel/transactions/index.ts';
import {
  emailKey,
  findUserByEmail,
  findUserByProvisionedName,
  type UserEntry,
  type UserRecord,
  userRecords,
} from '../../records/index.ts';

/** Whom an address signs in: whose it is, or who is called by it. To be called inside `Engine.read`. */
export function findUserByLogin(store: Store, text: string): UserEntry | undefined {
  return findUserByEmail(store, text) ?? findUserByProvisionedName(store, text);
}

/**
 * Both addresses and the names of provisioned users sign in, so that nobody's address may be another's name. Each of the
 * two indexes is unique in itself; that they are also unique together is a precondition of the command.
 * @throws ProblemError 409 where a user gets what is another's
 */
export function claimLogins(
  store: Store,
  /** `undefined` for one who is to come. */
  id: string | undefined,
  before: UserRecord | undefined,
  after: UserRecord,
): Precondition[] {
  const claims: Precondition[] = [];
  const isOthers = (text: string): boolean =>
    [findUserByEmail(store, text), findUserByProvisionedName(store, text)].some(
      (holder) => holder !== undefined && holder.id !== id,
    );
  const { email } = after;
  if (email !== before?.email) {
    if (isOthers(email)) throw taken('email', 'Another user has this email address.');
    claims.push(userRecords.free(store, ['provisionedName', emailKey(email)], id));
  }
  const name = provisionedName(after);
  if (name !== undefined && name !== provisionedName(before)) {
    if (isOthers(name)) throw taken('username', 'Another user has this name, or this email address.');
    claims.push(userRecords.free(store, ['email', emailKey(name)], id));
  }
  return claims;
}

function provisionedName(record: UserRecord | undefined): string | undefined {
  return record?.scim === undefined ? undefined : record.username;
}
