import type { Precondition, Store } from '#engine';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import {
  type Asking,
  type Part,
  refused,
  requirePermission,
  type Transaction,
  transact,
  transactAs,
} from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { type UserEntry, type UserRecord, userActing, userRecords, userSubject } from '../../records/index.ts';
import { readSettings } from '../../settings/index.ts';
import { type Credentials, credentialRecords, noPassword } from '../credentials/credentials.ts';
import { type PersonalTexts, requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserDependencies } from '../dependencies.ts';
import { claimLogins, findUserByLogin } from '../profile/claim-logins.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { assignableKinds, itemsOf } from './assignable-kinds.ts';
import { changedAttributes, isDecidedBy, requireHeldThroughPolicies } from './deciding-attributes.ts';
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

/** @returns the id of the new user */
export async function createUser(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  body: NewUser,
  /** What else must hold: in the snapshot that judges, by throwing `ProblemError`, and in the commit. */
  require: (store: Store) => readonly Precondition[] = () => [],
): Promise<string> {
  const { store } = caller.organization;
  const { engine, clock } = dependencies;
  // before a hash is spent on it
  if (body.password !== undefined) {
    engine.read(() => {
      require(store);
      judge({ dependencies, caller, now: clock.now() }, body);
    });
  }
  const credentials = await newCredentials(dependencies, store, body);
  const number = await dependencies.numbers.next(store.name, numberSequence);
  const id = dependencies.audit.newId();
  return transact(dependencies, caller, facts, (transaction) => {
    transaction.expect(require(store));
    return create(transaction, body, { id, number, credentials });
  });
}

interface NewPassword extends PersonalTexts {
  readonly password?: string | undefined;
  readonly requireChange?: boolean | undefined;
}

/** Of a new user. @throws ProblemError 422 with what the organization's policy has against the password */
export async function newCredentials(
  { engine, hasher, clock }: UserDependencies,
  store: Store,
  user: NewPassword,
): Promise<Credentials> {
  const { password, requireChange: mustChange = false } = user;
  if (password === undefined) return noPassword;
  const { passwordPolicy } = engine.read(() => readSettings(store));
  await requireGoodPassword(password, passwordPolicy, user);
  return { hash: await hasher.hash(password), mustChange, changedAt: clock.now(), previous: [] };
}

/** @throws ProblemError 400, 403, 409 */
function judge(asking: Asking, body: NewUser) {
  const { caller, now } = asking;
  const { store } = caller.organization;
  requirePermission(caller, 'users.create');
  if (body.emailVerified) requirePermission(caller, 'users.verify');
  if (!body.isActive) requirePermission(caller, 'users.block');
  const assigned = [assignableKinds.roles, assignableKinds.groups].flatMap((kind) =>
    itemsOf(kind, store, body[kind.plural as 'roles' | 'groups']).map((each) => ({ kind, each })),
  );
  for (const { kind, each } of assigned) {
    requirePermission(caller, kind.right);
    each.requireHeld(asking);
  }
  requireHeldThroughPolicies(asking, chosenAttributes(body));
  return { assigned, claims: claimLogins(store, undefined, undefined, newRecord(body, 0, now)) };
}

function create(
  transaction: Transaction,
  body: NewUser,
  made: { readonly id: string; readonly number: number; readonly credentials: Credentials },
): string {
  const { store, now } = transaction;
  const { assigned, claims } = judge(transaction, body);
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
  return id;
}

/** What the caller says beyond what every user has. */
function chosenAttributes(body: NewUser): ReadonlySet<string> {
  return changedAttributes(newRecord({ email: body.email }, 0, 0), newRecord(body, 0, 0));
}

type NewRecord = Profile & Partial<Pick<NewUser, 'emailVerified' | 'isActive' | 'metadata' | 'scim'>>;

export function newRecord(body: NewRecord & Pick<NewUser, 'email'>, number: number, now: number): UserRecord {
  const { email, emailVerified = false, isActive = true, metadata = {}, scim } = body;
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

/** A person who joins by themselves: by an address that was proved, or through a provider. */
export interface Registration {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly profile: Profile;
  readonly password?: string | undefined;
  /** For the audit log: `signup`, or the provider. */
  readonly through: string;
}

/**
 * Creates a user with no rights at all. Attributes that a policy decides by are left out, as nobody gives them but who
 * could give what the policy grants.
 * @returns the id of the user; `undefined`: somebody has the address
 * @throws ProblemError 422 with what the policy has against the password, or where an address that is not proved would
 * decide a policy
 */
export async function registerUser(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  registration: Registration,
  also: (now: number, userId: string) => Part,
): Promise<string | undefined> {
  const { store } = organization;
  const { email, profile, password } = registration;
  const credentials = await newCredentials(dependencies, store, { ...profile, email, password });
  const number = await dependencies.numbers.next(store.name, numberSequence);
  const id = dependencies.audit.newId();
  const actor = userActing(id);
  return transactAs(dependencies, organization, actor, facts, (transaction) => {
    const { now } = transaction;
    if (findUserByLogin(store, email) !== undefined) return undefined;
    const document = recordOf(organization, registration, number, now);
    transaction.put(userRecords, id, document);
    transaction.put(credentialRecords, id, credentials);
    transaction.expect(claimLogins(store, undefined, undefined, document));
    const metadata = { through: registration.through };
    const personal = { email, name: document.name };
    transaction.audit(aboutUser(id, 'user.created', 'user.register', { metadata, personal }));
    transaction.emit(userEvent(userCreated, { id, document }, { roles: [], groups: [] }));
    transaction.add(also(now, id));
    return id;
  });
}

function recordOf({ store }: Organization, registration: Registration, number: number, now: number): UserRecord {
  const { email, emailVerified, profile } = registration;
  if (!emailVerified && isDecidedBy(store, new Set(['email']))) {
    throw refused(said('refusals.unconfirmedAddress'), 'email');
  }
  const free = Object.entries(profile).filter(([name]) => !isDecidedBy(store, new Set([name])));
  return newRecord({ ...Object.fromEntries(free), email, emailVerified }, number, now);
}
