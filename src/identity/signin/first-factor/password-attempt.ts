import type { Store } from '#engine';
import { findUserByEmail, findUserByUsername, type UserEntry, userActing } from '../../../directory/records/index.ts';
import { checkPassword, emailSchema, passwordState } from '../../../directory/users/index.ts';
import { ProblemError, tooManyRequests } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { epochsOf, type Proof } from '../sign-in.ts';
import { failedLogin } from '../signin-events.ts';

export type Attempted =
  | { readonly kind: 'proved'; readonly proof: Proof }
  /** `withoutPassword` is the id of a user who has none. */
  | { readonly kind: 'wrong'; readonly withoutPassword: string | undefined }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'locked'; readonly until: number };

interface Tried {
  /** Email address or user name, as it was typed. */
  readonly identifier: string;
  readonly password: string;
}

/**
 * Tries a password. The attempt is counted before it is looked at; what follows takes as long, and is told in the same
 * words, whether or not there is such an account.
 */
export async function attemptPassword(
  dependencies: SignInDependencies,
  organization: Organization,
  { identifier, password }: Tried,
  facts: RequestFacts,
): Promise<Attempted> {
  const { engine, lockout, guesses } = dependencies;
  const { store } = organization;
  const { user, epochs, hasPassword } = engine.read(() => {
    const user = userNamed(store, identifier);
    const id = user?.id ?? 'nobody';
    return { user, epochs: epochsOf(store, id), ...passwordState(store, id) };
  });
  const account = accountOf(dependencies, organization, user, identifier);
  const attempt = { account, address: facts.clientAddress() };
  // many accounts with one password each are tried from one address as well
  const known = JSON.stringify([store.name, attempt.account.toLowerCase(), attempt.address]);
  const wait = guesses.waitBefore(attempt.address, known);
  if (wait !== undefined) throw new ProblemError(tooManyRequests(wait));
  const until = await lockout.begin(organization, attempt);
  if (until !== undefined) {
    await noteFailure(dependencies, organization, { user, account }, 'locked_out', facts);
    return { kind: 'locked', until };
  }
  const check = () => checkPassword(dependencies, organization, user?.id, password);
  if (await lockout.looked(organization, attempt, check)) {
    const { id, document } = user as UserEntry; // nobody's password is never right
    guesses.accepted(known);
    const base = { userId: id, method: 'password', amr: ['pwd'], mfa: false } as const;
    return { kind: 'proved', proof: { ...base, account: document.email, epochs } };
  }
  guesses.refused(attempt.address);
  await lockout.failed(organization, attempt, facts);
  await noteFailure(dependencies, organization, { user, account }, 'wrong_password', facts);
  return { kind: 'wrong', withoutPassword: hasPassword ? undefined : user?.id };
}

/** To be called inside `Engine.read`. */
function userNamed(store: Store, identifier: string): UserEntry | undefined {
  const name = identifier.trim();
  // who provisions people often calls them by another address than the one for their mail
  return (name.includes('@') ? findUserByEmail(store, name) : undefined) ?? findUserByUsername(store, name);
}

/**
 * What failures are counted and logged by. Two names of one account are one account. What names nobody and is no address
 * may be a password in the wrong field: it is told apart from others, and not written down.
 */
function accountOf(
  { sealer }: SignInDependencies,
  { id }: Organization,
  user: UserEntry | undefined,
  typed: string,
): string {
  if (user !== undefined) return user.document.email;
  const name = typed.normalize('NFC').trim().toLowerCase();
  return emailSchema.safeParse(name).success ? name : `unknown:${sealer.mac('unknown account', id, name)}`;
}

const actions = { locked_out: 'login.locked_out', wrong_password: 'login.failed' } as const;

async function noteFailure(
  { failures, attacks }: SignInDependencies,
  organization: Organization,
  { user, account }: { readonly user: UserEntry | undefined; readonly account: string },
  reason: keyof typeof actions,
  facts: RequestFacts,
): Promise<void> {
  const who = { userId: user?.id ?? null, email: user?.document.email ?? null, account };
  const actor = user && { ...userActing(user.id), email: user.document.email };
  failures.note(organization, actor, facts, {
    eventType: 'user.login_failed',
    action: actions[reason],
    ...(user === undefined ? {} : { targetType: 'user', targetId: user.id }),
    personal: { account },
    event: failedLogin(who, facts, reason),
  });
  await attacks.failed(organization, who, facts);
}
