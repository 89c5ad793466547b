import type { Store } from '#engine';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import {
  type Asking,
  type OrganizationTransaction,
  type Part,
  refusedBecause,
  requirePermission,
  requireSignInChangeable,
  transactAs,
} from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { endAllOf } from '../../epochs/index.ts';
import { countsNow, type UserEntry, userActing, userRecords, userSubject } from '../../records/index.ts';
import { readSettings, type Settings } from '../../settings/index.ts';
import { type CredentialsEntry, credentialRecords } from '../credentials/credentials.ts';
import { clearLinks, followLink, spend } from '../credentials/links.ts';
import { requireGoodPassword } from '../credentials/password-policy.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
import { aboutUser, assignedTo, userEvent, userPasswordChanged } from './user-events.ts';
import { transactOnUser, type UserRequest } from './user-request.ts';
import { verifyEmail } from './verify-email.ts';

/** A password that has been judged against everything that was on record, and hashed. */
export interface Judged {
  readonly hash: string;
  /** Of the credentials that it was judged against. */
  readonly version: number | undefined;
  readonly previous: readonly string[];
}

interface Found {
  readonly user: UserEntry;
  readonly credentials: CredentialsEntry | undefined;
  readonly policy: Settings['passwordPolicy'];
}

/** A password, and who chose it: somebody else for the user, the user by a link that was mailed, the user. */
export interface Chosen {
  readonly password: string;
  readonly how: 'set' | 'reset' | 'change';
}

/** How often a password is judged anew because another one was set meanwhile. */
const RACES_MAX = 4;

/** Sets a user's password for them. Every session and token of theirs ends. @returns the id of the user */
export function setPassword(
  request: UserRequest,
  { password, requireChange = false }: { readonly password: string; readonly requireChange?: boolean | undefined },
): Promise<string> {
  const { dependencies, caller, reference, family } = request;
  const find = (now: number) =>
    requirePasswordChangeable({ dependencies, caller, now }, requireUser(caller, reference, family));
  return judged(dependencies, caller.organization.store, { password, how: 'set' }, find, (judgement) =>
    transactOnUser(request, (transaction, user) => {
      requirePasswordChangeable(transaction, user);
      return putPassword(transaction, user, judgement, { mustChange: requireChange, how: 'set' });
    }),
  );
}

/** @throws ProblemError 403 where the caller may not set the password of this user */
export function requirePasswordChangeable(asking: Asking, user: UserEntry): UserEntry {
  requirePermission(asking.caller, 'users.reset_password');
  requireSignInChangeable(asking, userSubject(user.id));
  return user;
}

/**
 * Sets the password of whoever holds a link that was mailed for it.
 * @returns the id of the user; `undefined`: there is no such link, or no longer
 */
export async function redeemPasswordReset(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  token: string,
  password: string,
): Promise<string | undefined> {
  const { store } = organization;
  const find = (now: number) => {
    const found = followLink(store, token, 'reset-password', now);
    return found !== undefined && countsNow(found.user.document) ? found : undefined;
  };
  const first = dependencies.engine.read(() => find(dependencies.clock.now()));
  if (first === undefined) return undefined;
  const actor = userActing(first.user.id);
  return judged(
    dependencies,
    store,
    { password, how: 'reset' },
    () => first.user,
    (judgement) =>
      transactAs(dependencies, organization, actor, facts, (transaction) => {
        const found = find(transaction.now);
        if (found === undefined) return undefined;
        const { user, link } = found;
        const set = putPassword(transaction, user, judgement, { mustChange: false, how: 'reset' });
        if (set === raced) return raced;
        transaction.add(dependencies.disown(store, user));
        spend(transaction, link);
        verifyEmail(transaction, user);
        return user.id;
      }),
  );
}

/** Judging and hashing take time, in which another password may be set: then it is judged anew, against that one too. */
export async function judged<T>(
  dependencies: UserDependencies,
  store: Store,
  chosen: Chosen,
  find: (now: number) => UserEntry,
  commit: (judgement: Judged) => Promise<T | typeof raced>,
): Promise<T> {
  for (let race = 0; ; race++) {
    const found = dependencies.engine.read((): Found => {
      const user = find(dependencies.clock.now());
      return { user, credentials: credentialRecords.get(store, user.id), policy: readSettings(store).passwordPolicy };
    });
    const result = await commit(await judge(dependencies, chosen, found));
    if (result !== raced) return result;
    if (race >= RACES_MAX) throw refusedBecause([said('passwords.racing')], 'password');
  }
}

async function judge(
  dependencies: UserDependencies,
  chosen: Chosen,
  { user, credentials, policy }: Found,
): Promise<Judged> {
  const { password, how } = chosen;
  await requireGoodPassword(password, policy, user.document);
  // who must change a password, or says so, does not keep it
  const mustDiffer = how === 'change' || (how === 'reset' && credentials?.document.mustChange === true);
  const reach = Math.max(policy.preventReuse, mustDiffer ? 1 : 0);
  const former = formerOf(credentials);
  for (const hash of former.slice(0, reach)) {
    if (await dependencies.hasher.verify(hash, password)) {
      const reason = reach === 1 ? said('passwords.reusedLast') : said('passwords.reused', { count: reach });
      throw refusedBecause([reason], 'password');
    }
  }
  return {
    hash: await dependencies.hasher.hash(password),
    version: credentials?.version,
    previous: former.slice(0, policy.preventReuse),
  };
}

function formerOf(credentials: CredentialsEntry | undefined): string[] {
  if (credentials === undefined) return [];
  const { hash, previous } = credentials.document;
  return hash === undefined ? [...previous] : [hash, ...previous];
}

/** The answer where a password was judged against credentials that are no longer there: nothing is changed. */
export const raced = Symbol('raced');

export interface PasswordChange {
  readonly mustChange: boolean;
  readonly how: Chosen['how'];
  /** What ends with it; every session and token where omitted. */
  readonly ends?: Part;
}

/** @returns the id of the user */
export function putPassword(
  transaction: OrganizationTransaction,
  user: UserEntry,
  { hash, version, previous }: Judged,
  { mustChange, how, ends }: PasswordChange,
): string | typeof raced {
  const { store, now } = transaction;
  const { id } = user;
  if (transaction.get(credentialRecords, id)?.version !== version) return raced;
  transaction.rely(userRecords, user);
  transaction.put(credentialRecords, id, { hash, mustChange, changedAt: now, previous });
  // a link that was mailed before must not undo this
  if (how !== 'reset') clearLinks(transaction, id, 'reset-password');
  transaction.add(ends ?? { changes: endAllOf(store, id) });
  transaction.audit(
    aboutUser(id, 'user.password_changed', `user.${how}_password`, {
      severity: 'warning',
      metadata: { requireChange: mustChange },
    }),
  );
  transaction.emit(
    userEvent({ of: (about) => userPasswordChanged.of({ ...about, reason: how }) }, user, assignedTo(store, id)),
  );
  return id;
}
