import type { Change, Precondition } from '#engine';
import { type AuditEvent, type RequestFacts, subjectActor } from '../../../kernel/audit/index.ts';
import type { DomainEvent } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { commitPlanAs, nothingToCommit, type Plan, refused } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { type UserEntry, type UserRecord, userRecords, userSubject } from '../../records/index.ts';
import { readSettings } from '../../settings/index.ts';
import { type Credentials, credentialRecords, noPassword } from '../credentials/credentials.ts';
import { requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserDependencies } from '../dependencies.ts';
import { claimLogins, findUserByLogin } from '../profile/claim-logins.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { numberSequence } from './create-user.ts';
import { isDecidedBy } from './deciding-attributes.ts';
import { aboutUser, userCreated, userEvent } from './user-events.ts';

interface AlsoChanged {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
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
  also: (now: number, userId: string) => AlsoChanged,
): Promise<UserEntry | undefined> {
  const { store } = organization;
  const credentials = await credentialsOf(dependencies, organization, registration);
  const number = await dependencies.numbers.next(store.name, numberSequence);
  const id = dependencies.audit.newId();
  const actor = subjectActor(userSubject(id));
  return commitPlanAs(dependencies, organization, actor, facts, (now): Plan<UserEntry | undefined> => {
    if (findUserByLogin(store, registration.email) !== undefined) return nothingToCommit(undefined);
    const document = recordOf(organization, registration, number, now);
    const user: UserEntry = { id, version: 1, document };
    const { changes, preconditions, entries = [], events = [] } = also(now, id);
    const { email, name } = document;
    return {
      changes: [userRecords.put(store, id, document), credentialRecords.put(store, id, credentials), ...changes],
      preconditions: [...preconditions, ...claimLogins(store, undefined, undefined, document)],
      entries: [
        aboutUser(id, 'user.created', 'user.register', {
          metadata: { through: registration.through },
          personal: { email, name },
        }),
        ...entries,
      ],
      events: [userEvent(userCreated, user, { roles: [], groups: [] }), ...events],
      result: user,
    };
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
