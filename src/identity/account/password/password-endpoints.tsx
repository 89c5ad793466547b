import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { changeOwnPassword, checkPassword, passwordState } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, redirect, tooManyRequests } from '../../../http/index.ts';
import { commit } from '../../../kernel/commits/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { endOthersOf, liveSession } from '../../sessions/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { faultsOf } from '../frame/faults.ts';
import { securityRoom } from '../security/security-room.tsx';
import { arePasswordsUsed } from './passwords-used.ts';

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
      handler(visit) {
        const { done } = visit.query;
        return securityRoom(dependencies, visit, { open: done === undefined ? 'password' : undefined, done });
      },
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
          if (faults.length > 0) return securityRoom(dependencies, visit, { open: 'password', faults });
          return redirect(303, `${visit.base}/account/password?done=password`);
        } catch (error) {
          return securityRoom(dependencies, visit, {
            open: 'password',
            faults: faultsOf(visit.t, error, ['password']),
          });
        }
      },
    }),
  ];
}

async function change(
  dependencies: AccountDependencies,
  { organization, user, session, facts, t }: AccountVisit,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<FormFault[]> {
  const { store } = organization;
  const state = dependencies.engine.read(() => ({ ...passwordState(store, user.id), ...readSettings(store).signIn }));
  if (!arePasswordsUsed(state)) return [{ field: '', message: t('account.passwordUnused') }];
  if (password === '') return [{ field: 'password', message: t('account.passwordEnter') }];
  // as at sign-in: whoever sits at an open browser gets no more guesses than somebody who is signed out
  const attempt = { account: user.document.email, address: facts.clientAddress() };
  if (state.hasPassword) {
    const until = await dependencies.lockout.begin(organization, attempt);
    const leftMs = (until ?? 0) - dependencies.clock.now();
    if (until !== undefined) throw new ProblemError(tooManyRequests(Math.max(1, Math.ceil(leftMs / 1000))));
    const check = () => checkPassword(dependencies, organization, user.id, current);
    if (!(await dependencies.lockout.looked(organization, attempt, check))) {
      await dependencies.lockout.failed(organization, attempt, facts);
      return [{ field: 'current', message: t('account.passwordWrong') }];
    }
    // whatever the policy has against the new one: the old one was right
    await commit(dependencies.engine, store, (changes) =>
      changes.change(dependencies.lockout.forgiven(store, attempt)),
    );
  }
  await changeOwnPassword(dependencies, organization, facts, {
    userId: user.id,
    password,
    ends(now) {
      const live = liveSession(store, session.id, now);
      if (live === undefined) throw forbidden(said('agents.signedOut'));
      return endOthersOf(store, live, 'tokens');
    },
  });
  return [];
}
