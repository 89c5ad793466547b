import type { Change, Precondition, Store } from '#engine';
import { commitPlan, type Plan, requirePermission, taken } from '../../admin/index.ts';
import type { RequestFacts } from '../../audit/index.ts';
import { findUserByEmail, type UserEntry, type UserRecord, userRecords, userSubject } from '../../directory/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { readSettings } from '../../settings/index.ts';
import { type Credentials, credentialRecords, noPassword } from '../credentials/credentials.ts';
import { requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserParts } from '../parts.ts';
import { type Profile, withProfile } from '../profile/profile.ts';
import { changedAttributes, requireHeldThroughPolicies } from './deciding-attributes.ts';
import { entriesOf, type GivenKind, givenEvent, givenKinds } from './given.ts';
import { aboutUser, userEvent } from './user-events.ts';

export interface NewUser extends Profile {
  readonly email: string;
  readonly password?: string | undefined;
  readonly requireChange?: boolean | undefined;
  readonly emailVerified: boolean;
  readonly isActive: boolean;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The sequence that users' numbers come from. */
export const numberSequence = 'users';

export async function createUser(
  parts: UserParts,
  caller: Caller,
  facts: RequestFacts,
  body: NewUser,
): Promise<UserEntry> {
  const { store } = caller.organization;
  const { engine, clock } = parts;
  // before a hash is spent on it
  if (body.password !== undefined) engine.read(() => judge(parts, caller, body, clock.now()));
  const credentials = await newCredentials(parts, store, body);
  const number = await parts.numbers.next(store.name, numberSequence);
  const id = parts.audit.newId();
  return commitPlan(parts, caller, facts, (now) => planCreation(parts, caller, body, { id, number, credentials }, now));
}

async function newCredentials(parts: UserParts, store: Store, body: NewUser): Promise<Credentials> {
  const { password, requireChange = false } = body;
  if (password === undefined) return noPassword;
  const { passwordPolicy } = parts.engine.read(() => readSettings(store));
  await requireGoodPassword(password, passwordPolicy, body);
  const hash = await parts.hasher.hash(password);
  return { hash, mustChange: requireChange, changedAt: parts.clock.now(), previous: [] };
}

/** @throws ProblemError 400, 403, 409 */
function judge(parts: UserParts, caller: Caller, body: NewUser, now: number) {
  const { store } = caller.organization;
  requirePermission(caller, 'users.create');
  if (body.emailVerified) requirePermission(caller, 'users.verify');
  if (!body.isActive) requirePermission(caller, 'users.block');
  const given = [givenKinds.roles, givenKinds.groups].flatMap((kind: GivenKind) =>
    entriesOf(kind, store, body[kind.plural as 'roles' | 'groups']).map((entry) => ({ kind, entry })),
  );
  for (const { kind, entry } of given) {
    requirePermission(caller, kind.permission);
    kind.requireHeld(parts, caller, kind.slug(entry), now);
  }
  requireHeldThroughPolicies(parts, caller, chosenAttributes(body), now);
  if (findUserByEmail(store, body.email) !== undefined) throw taken('email', 'Another user has this e-mail address.');
  return given;
}

function planCreation(
  parts: UserParts,
  caller: Caller,
  body: NewUser,
  made: { readonly id: string; readonly number: number; readonly credentials: Credentials },
  now: number,
): Plan<UserEntry> {
  const { store } = caller.organization;
  const given = judge(parts, caller, body, now);
  const { id, credentials } = made;
  const document = newRecord(body, made.number, now);
  const user: UserEntry = { id, version: 1, document };
  const slugs = (type: string) =>
    given.filter(({ kind }) => kind.type === type).map((each) => each.kind.slug(each.entry));
  const tuples = given.map(({ kind, entry }) => kind.tuple(kind.slug(entry), id));
  const changes: Change[] = [userRecords.put(store, id, document), credentialRecords.put(store, id, credentials)];
  if (tuples.length > 0) changes.push({ op: 'write_tuples', store: store.name, tuples });
  if (!body.isActive) changes.push({ op: 'suspend_subject', store: store.name, subject: userSubject(id) });
  const about = { id, email: document.email };
  return {
    changes,
    preconditions: given.flatMap(({ kind, entry }): Precondition[] => kind.restsOn(store, kind.slug(entry))),
    entries: [
      aboutUser(id, 'user.created', 'user.create', { personal: { email: document.email, name: document.name } }),
      ...given.map(({ kind, entry }) =>
        aboutUser(id, kind.given.eventType, kind.given.action, { metadata: { [kind.type]: kind.slug(entry) } }),
      ),
    ],
    events: [
      userEvent('user.created', user, { roles: slugs('role'), groups: slugs('group') }),
      ...given.flatMap(({ kind, entry }) => givenEvent(kind, 'given', about, kind.slug(entry))),
    ],
    result: user,
  };
}

/** What the caller says beyond what every user has. */
function chosenAttributes(body: NewUser): ReadonlySet<string> {
  const plain = { email: body.email, emailVerified: false, isActive: true, roles: [], groups: [], metadata: {} };
  return changedAttributes(newRecord(plain, 0, 0), newRecord(body, 0, 0));
}

function newRecord(body: NewUser, number: number, now: number): UserRecord {
  const { email, emailVerified, isActive, metadata } = body;
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
    },
    body,
  );
}
