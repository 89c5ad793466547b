import { type RequestFacts, userActing } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type Part, refused, transactAs } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { type UserEntry, type UserRecord, userRecords } from '../../records/index.ts';
import { readSettings } from '../../settings/index.ts';
import { type Credentials, credentialRecords, noPassword } from '../credentials/credentials.ts';
import { requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserDependencies } from '../dependencies.ts';
import { claimLogins, findUserByLogin } from '../profile/claim-logins.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { numberSequence } from './create-user.ts';
import { isDecidedBy } from './deciding-attributes.ts';
import { aboutUser, userCreated, userEvent } from './user-events.ts';

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
 * Creates a user with no rights at all. `undefined`: somebody has the address. Attributes that a policy decides by are
 * left out, as nobody gives them but who could give what the policy grants.
 * @throws ProblemError 422 with what the policy has against the password, or where an address that is not proved would
 * decide a policy
 */
export async function registerUser(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  registration: Registration,
  also: (now: number, userId: string) => Part,
): Promise<UserEntry | undefined> {
  const { store } = organization;
  const credentials = await credentialsOf(dependencies, organization, registration);
  const number = await dependencies.numbers.next(store.name, numberSequence);
  const id = dependencies.audit.newId();
  const actor = userActing(id);
  return transactAs(dependencies, organization, actor, facts, (transaction) => {
    const { now } = transaction;
    if (findUserByLogin(store, registration.email) !== undefined) return undefined;
    const document = recordOf(organization, registration, number, now);
    const user: UserEntry = { id, version: 1, document };
    const { email, name } = document;
    transaction.put(userRecords, id, document);
    transaction.put(credentialRecords, id, credentials);
    transaction.expect(claimLogins(store, undefined, undefined, document));
    const metadata = { through: registration.through };
    transaction.audit(aboutUser(id, 'user.created', 'user.register', { metadata, personal: { email, name } }));
    transaction.emit(userEvent(userCreated, user, { roles: [], groups: [] }));
    transaction.add(also(now, id));
    return user;
  });
}

async function credentialsOf(
  { engine, hasher, clock }: UserDependencies,
  { store }: Organization,
  { password, email, profile }: Registration,
): Promise<Credentials> {
  if (password === undefined) return noPassword;
  const { passwordPolicy } = engine.read(() => readSettings(store));
  await requireGoodPassword(password, passwordPolicy, { ...profile, email });
  return { hash: await hasher.hash(password), mustChange: false, changedAt: clock.now(), previous: [] };
}

function recordOf({ store }: Organization, registration: Registration, number: number, now: number): UserRecord {
  const { email, emailVerified, profile } = registration;
  if (!emailVerified && isDecidedBy(store, new Set(['email']))) {
    throw refused(said('refusals.unconfirmedAddress'), 'email');
  }
  const free = Object.entries(profile).filter(([name]) => !isDecidedBy(store, new Set([name])));
  return withProfile(
    {
      number,
      email,
      emailVerified,
      isActive: true,
      isBlocked: false,
      mfaEnabled: false,
      metadata: {},
      createdAt: now,
      updatedAt: now,
      loginCount: 0,
    },
    Object.fromEntries(free),
  );
}
