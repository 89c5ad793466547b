import { z } from 'zod';
import { readSettings, type Settings } from '../../../directory/settings/index.ts';
import { changeOwnPassword, checkPassword, passwordState } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem, type Reply, redirect, tooManyRequests } from '../../../http/index.ts';
import { Button, Field, type FormFault } from '../../pages/index.ts';
import { endOthersOf, liveSession } from '../../sessions/index.ts';
import { policyHint } from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';

const path = '/orgs/{orgId}/account/password';
const typed = z.string().max(256).default('');

/** A new password, by the old one where there is one. Every other session ends with it, and every token. */
export function passwordEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'The password',
      isSensitive: true,
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => passwordPage(dependencies, visit, [], visit.query.done),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Changes the password',
      isSensitive: true,
      body: z.object({ current: typed, password: typed }),
      async handler(visit) {
        try {
          const faults = await change(dependencies, visit, visit.body);
          if (faults.length > 0) return passwordPage(dependencies, visit, faults);
          return redirect(303, `${visit.base}/account/password?done=password`);
        } catch (error) {
          return passwordPage(dependencies, visit, faultsOf(error, ['password']));
        }
      },
    }),
  ];
}

async function change(
  dependencies: AccountDependencies,
  { organization, user, session, facts }: AccountVisit,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<FormFault[]> {
  const { store } = organization;
  const state = dependencies.engine.read(() => ({ ...passwordState(store, user.id), ...readSettings(store).signIn }));
  if (!arePasswordsUsed(state)) return [{ field: '', message: 'Passwords are not used here.' }];
  if (password === '') return [{ field: 'password', message: 'Type a new password.' }];
  // as at sign-in: whoever sits at an open browser gets no more guesses than somebody who is signed out
  const attempt = { account: user.document.email, address: facts.clientAddress() };
  if (state.hasPassword) {
    const until = await dependencies.lockout.begin(organization, attempt);
    if (until !== undefined) throw locked(until - dependencies.clock.now());
    const check = () => checkPassword(dependencies, organization, user.id, current);
    if (!(await dependencies.lockout.looked(organization, attempt, check))) {
      await dependencies.lockout.failed(organization, attempt, facts);
      return [{ field: 'current', message: 'This is not your password.' }];
    }
    // whatever the policy has against the new one: the old one was right
    await dependencies.engine.submit(dependencies.engine.command(dependencies.lockout.forgiven(store, attempt)));
  }
  await changeOwnPassword(dependencies, organization, facts, {
    userId: user.id,
    password,
    ends(now) {
      const live = liveSession(store, session.id, now);
      if (live === undefined) throw new ProblemError(problem('forbidden', 'You have been signed out meanwhile.'));
      return endOthersOf(store, live, 'tokens');
    },
  });
  return [];
}

/** Somewhere links alone let people in, whatever password they have. */
function arePasswordsUsed({ allowPassword, magicLinksOnly }: Settings['signIn']): boolean {
  return allowPassword && !magicLinksOnly;
}

function locked(ms: number): ProblemError {
  return new ProblemError(tooManyRequests(Math.max(1, Math.ceil(ms / 1000))));
}

function passwordPage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  faults: readonly FormFault[],
  done?: string | undefined,
): Reply<never> {
  const { user, organization } = visit;
  const { hasPassword, isUsed, policy } = dependencies.engine.read(() => {
    const { signIn, passwordPolicy } = readSettings(organization.store);
    const { hasPassword } = passwordState(organization.store, user.id);
    return { hasPassword, isUsed: arePasswordsUsed(signIn), policy: passwordPolicy };
  });
  return accountPage(
    visit,
    { room: '/account/password', title: 'Password', done, faults },
    isUsed ? (
      <AccountForm visit={visit} path="/account/password" id="password-form">
        {/* for password managers, which do not look at fields of type hidden */}
        <input type="text" name="username" autocomplete="username" value={user.document.email} readonly hidden />
        {hasPassword ? (
          <Field
            name="current"
            label="Your password now"
            type="password"
            autocomplete="current-password"
            faults={faults}
          />
        ) : null}
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          faults={faults}
          hint={`${policyHint(policy)} You are signed out everywhere else, and applications ask you to sign in again.`}
        />
        <Button>{hasPassword ? 'Change the password' : 'Set a password'}</Button>
      </AccountForm>
    ) : (
      <p>Passwords are not used here.</p>
    ),
  );
}
