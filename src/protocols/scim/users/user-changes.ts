import type { Precondition, Store } from '#engine';
import {
  emailKey,
  findUserByEmail,
  type UserEntry,
  type UserRecord,
  userRecords,
  userSubject,
} from '../../../directory/records/index.ts';
import {
  createUser,
  deleteUser,
  judged,
  putPassword,
  raced,
  requirePasswordChangeable,
  type UserDependencies,
  updateUser,
} from '../../../directory/users/index.ts';
import { ProblemError } from '../../../http/index.ts';
import { requireNoLess, Transaction, transact } from '../../../kernel/transactions/index.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import { existingRecord, requireSetting, requireVersion } from '../service/requirements.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { type UserFields, userFields } from './user-fields.ts';
import { userAttributes } from './user-resource.ts';

/** @throws ProblemError 400, 403, 409 */
export async function createScimUser(
  dependencies: UserDependencies,
  { caller, facts }: ScimRequest,
  resource: ScimResource,
): Promise<string> {
  const { username, ...fields } = userFields(resource);
  const password = passwordOf(resource);
  const body = {
    ...fields,
    username,
    ...(password === undefined ? {} : { password }),
    // who provisions answers for the addresses, as whoever administers does
    emailVerified: dependencies.engine.read(() => caller.may('users.verify')),
    roles: [],
    groups: [],
    metadata: {},
  };
  const require = (store: Store): Precondition[] => {
    requireSetting(store, 'createUsers', 'Creating users is switched off');
    const named = username === null ? [] : [requireFreeUserName(store, username)];
    return [...named, requireFreeAddress(store, fields.email)];
  };
  return createUser(dependencies, caller, facts, body, require).catch(passwordFault);
}

/** A change of a user: the resource after it, as a function of the one before, and a new password if one is set. */
interface UserChange {
  readonly after: (before: ScimResource) => ScimResource;
  readonly password: string | undefined;
}

/** Applies a change to a user. @throws ProblemError 400, 403, 404, 409, 412 */
export function changeScimUser(
  dependencies: UserDependencies,
  request: ScimRequest,
  id: string,
  { after, password }: UserChange,
): Promise<string> {
  const { caller, facts } = request;
  const { store } = caller.organization;
  const find = () => existingRecord(store, userRecords, id);
  const change = (transaction: Transaction): string => {
    const user = find();
    const before = userAttributes(id, user.document);
    requireVersion(request, before);
    changeFields(transaction, user, userFields(after(before), user.document));
    return id;
  };
  if (password === undefined) return transact(dependencies, caller, facts, change);
  // before a hash is spent on it
  dependencies.engine.read(() => change(new Transaction(dependencies, caller, dependencies.clock.now())));
  return judged(
    dependencies,
    store,
    { password, how: 'set' },
    (now) => requirePasswordChangeable({ dependencies, caller, now }, find()),
    (judgement) =>
      transact(dependencies, caller, facts, (transaction) => {
        const user = requirePasswordChangeable(transaction, find());
        const changed = change(transaction);
        const set = putPassword(transaction, user, judgement, { mustChange: false, how: 'set' });
        return set === raced ? transaction.drop(raced) : changed;
      }),
  ).catch(passwordFault);
}

/** @throws ProblemError 403, 404, 412 */
export function deleteScimUser(dependencies: UserDependencies, request: ScimRequest, id: string): Promise<void> {
  const { caller, facts } = request;
  const { store } = caller.organization;
  return transact(dependencies, caller, facts, (transaction) => {
    const user = existingRecord(store, userRecords, id);
    requireVersion(request, userAttributes(id, user.document));
    requireSetting(store, 'deleteUsers', 'Deleting users is switched off: set "active" to false instead');
    deleteUser(transaction, user);
  });
}

function changeFields(transaction: Transaction, user: UserEntry, fields: UserFields): void {
  const { caller, store } = transaction;
  const { username } = fields;
  const isNamed = username !== null && username !== user.document.username;
  const named = isNamed ? [requireFreeUserName(store, username, user.id)] : [];
  const isMoved = fields.email !== user.document.email;
  const moved = isMoved ? [requireFreeAddress(store, fields.email, user.id)] : [];
  const emailVerified =
    fields.email === user.document.email || !caller.may('users.verify') ? {} : { emailVerified: true };
  const changed = updateUser(transaction, user, { ...fields, ...emailVerified });
  if (changed === user.document) return;
  requireAllowed(store, user.document, changed);
  // no part of an administrator is changed by who holds less
  requireNoLess(transaction, userSubject(user.id));
  transaction.expect([...named, ...moved]);
}

/** What the settings let provisioning do. */
function requireAllowed(store: Store, before: UserRecord, after: UserRecord): void {
  const { isActive } = after;
  if (before.isActive && !isActive) {
    requireSetting(store, 'deactivateUsers', 'Deactivating users is switched off');
  }
  const isOther = JSON.stringify({ ...before, isActive, updatedAt: 0 }) !== JSON.stringify({ ...after, updatedAt: 0 });
  if (isOther || (!before.isActive && isActive)) {
    requireSetting(store, 'updateUsers', 'Changing users is switched off');
  }
}

/**
 * Names are compared without regard to case. A user name cannot be the address of another user, as both sign in. It is
 * also not the name of one who is not provisioned, which the command rests on.
 */
function requireFreeUserName(store: Store, userName: string, ownId?: string): Precondition {
  const named = userRecords.index(store).ids('username', emailKey(userName), { limit: 2 });
  const holders = [...named, findUserByEmail(store, userName)?.id];
  if (holders.some((id) => id !== undefined && id !== ownId)) {
    throw scimError('uniqueness', 'userName: another user has this name.');
  }
  return userRecords.free(store, ['username', emailKey(userName)], ownId);
}

/** The other way round: who is called by an address could not sign in any more, once it is somebody else's. */
function requireFreeAddress(store: Store, email: string, ownId?: string): Precondition {
  const named = userRecords.index(store).ids('username', emailKey(email), { limit: 2 });
  if (named.some((id) => id !== ownId))
    throw scimError('uniqueness', 'emails: another user is called by this address.');
  return userRecords.free(store, ['username', emailKey(email)], ownId);
}

export function passwordOf({ password }: ScimResource): string | undefined {
  return typeof password === 'string' ? password : undefined;
}

/** What the policy has against a password is a fault of the value. */
function passwordFault(error: unknown): never {
  const { kind, detail, options } = error instanceof ProblemError ? error.problem : {};
  if (kind?.code !== 'refused' || options?.errors?.[0]?.path !== 'password') throw error;
  throw scimError('invalidValue', `password: ${detail}`);
}
