import type { Precondition, Store } from '#engine';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { requirePermission, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import { type UserEntry, type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { readSettings } from '../../settings/index.ts';
import { type Credentials, credentialRecords, noPassword } from '../credentials/credentials.ts';
import { requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserDependencies } from '../dependencies.ts';
import { claimLogins } from '../profile/claim-logins.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { assignableKinds, itemsOf } from './assignable-kinds.ts';
import { changedAttributes, requireHeldThroughPolicies } from './deciding-attributes.ts';
import { aboutUser, userCreated, userEvent } from './user-events.ts';

export interface NewUser extends Profile {
  readonly email: string;
  readonly password?: string | undefined;
  readonly requireChange?: boolean | undefined;
  readonly emailVerified: boolean;
  readonly isActive: boolean;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What provisioning alone knows. */
  readonly scim?: UserRecord['scim'] | undefined;
}

/** The sequence that users' numbers come from. */
export const numberSequence = 'users';

export async function createUser(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  body: NewUser,
  /** What else must hold: in the snapshot that judges, by throwing `ProblemError`, and in the commit. */
  require: (store: Store) => readonly Precondition[] = () => [],
): Promise<UserEntry> {
  const { store } = caller.organization;
  const { engine, clock } = dependencies;
  // before a hash is spent on it
  if (body.password !== undefined) {
    engine.read(() => {
      require(store);
      judge(dependencies, caller, body, clock.now());
    });
  }
  const credentials = await newCredentials(dependencies, store, body);
  const number = await dependencies.numbers.next(store.name, numberSequence);
  const id = dependencies.audit.newId();
  return transact(dependencies, caller, facts, (transaction) => {
    transaction.expect(require(store));
    return create(transaction, dependencies, body, { id, number, credentials });
  });
}

async function newCredentials(dependencies: UserDependencies, store: Store, body: NewUser): Promise<Credentials> {
  const { password, requireChange = false } = body;
  if (password === undefined) return noPassword;
  const { passwordPolicy } = dependencies.engine.read(() => readSettings(store));
  await requireGoodPassword(password, passwordPolicy, body);
  const hash = await dependencies.hasher.hash(password);
  return { hash, mustChange: requireChange, changedAt: dependencies.clock.now(), previous: [] };
}

/** @throws ProblemError 400, 403, 409 */
function judge(dependencies: UserDependencies, caller: Caller, body: NewUser, now: number) {
  const { store } = caller.organization;
  requirePermission(caller, 'users.create');
  if (body.emailVerified) requirePermission(caller, 'users.verify');
  if (!body.isActive) requirePermission(caller, 'users.block');
  const assigned = [assignableKinds.roles, assignableKinds.groups].flatMap((kind) =>
    itemsOf(kind, store, body[kind.plural as 'roles' | 'groups']).map((each) => ({ kind, each })),
  );
  for (const { kind, each } of assigned) {
    requirePermission(caller, kind.right);
    each.requireHeld(dependencies, caller, now);
  }
  requireHeldThroughPolicies(dependencies, caller, chosenAttributes(body), now);
  return { assigned, claims: claimLogins(store, undefined, undefined, newRecord(body, 0, now)) };
}

function create(
  transaction: Transaction,
  dependencies: UserDependencies,
  body: NewUser,
  made: { readonly id: string; readonly number: number; readonly credentials: Credentials },
): UserEntry {
  const { caller, store, now } = transaction;
  const { assigned, claims } = judge(dependencies, caller, body, now);
  const { id, credentials } = made;
  const document = newRecord(body, made.number, now);
  const user: UserEntry = { id, version: 0, document };
  transaction.expect(claims);
  const slugs = (type: string) => assigned.filter(({ kind }) => kind.type === type).map(({ each }) => each.slug);
  transaction.put(userRecords, id, document);
  transaction.put(credentialRecords, id, credentials);
  if (!body.isActive) transaction.change([{ op: 'suspend_subject', store: store.name, subject: userSubject(id) }]);
  transaction.audit(
    aboutUser(id, 'user.created', 'user.create', { personal: { email: document.email, name: document.name } }),
  );
  transaction.emit(userEvent(userCreated, user, { roles: slugs('role'), groups: slugs('group') }));
  for (const { each } of assigned) each.assign(transaction, user);
  return user;
}

/** What the caller says beyond what every user has. */
function chosenAttributes(body: NewUser): ReadonlySet<string> {
  const plain = { email: body.email, emailVerified: false, isActive: true, roles: [], groups: [], metadata: {} };
  return changedAttributes(newRecord(plain, 0, 0), newRecord(body, 0, 0));
}

function newRecord(body: NewUser, number: number, now: number): UserRecord {
  const { email, emailVerified, isActive, metadata, scim } = body;
  return withProfile(
    {
      number,
      email,
      emailVerified,
      isActive,
      isBlocked: false,
      mfaEnabled: false,
      metadata,
      createdAt: now,
      updatedAt: now,
      loginCount: 0,
      ...(scim === undefined ? {} : { scim }),
    },
    body,
  );
}
