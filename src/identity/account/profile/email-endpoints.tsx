import { z } from 'zod';
import { emailSchema, pendingEmail, redeemEmailChange, requestEmailChange } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem, type Reply, redirect } from '../../../http/index.ts';
import { said } from '../../../texts/index.ts';
import { Button, type FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf, parseForm } from '../frame/faults.ts';
import { profileRoom } from './profile-room.tsx';

const path = '/orgs/{orgId}/account/email';
const confirmPath = '/orgs/{orgId}/account/email/confirm';
const token = z.string().max(128);

/** A new email address: asked for here, and confirmed by the link that is mailed to it. */
export function emailEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'The email address',
      isSensitive: true,
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => showEmail(dependencies, visit, visit.query.done),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Asks for another email address',
      isSensitive: true,
      body: z.object({ email: z.string().max(1024).default('') }),
      async handler(visit) {
        const { organization, facts, user, base, t } = visit;
        const typed = visit.body.email.trim();
        const refused = (faults: readonly FormFault[]) =>
          profileRoom(dependencies, visit, { open: 'email', email: typed, faults });
        const parsed = parseForm(
          z.object({ email: emailSchema }),
          { email: typed },
          { email: t('signIn.enterValidEmail') },
        );
        if ('faults' in parsed) return refused(parsed.faults);
        try {
          await requestEmailChange(dependencies, organization, facts, user.id, parsed.values.email);
          return redirect(303, `${base}/account/email?done=email-asked`);
        } catch (error) {
          return refused(faultsOf(visit.t, error, ['email']));
        }
      },
    }),
    ...confirmEndpoints(dependencies),
  ];
}

/** Programs that look into mail follow links: only the form of the page changes the address. */
function confirmEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path: confirmPath,
      // what stands in the link is not kept while its user signs in
      page: `${path}?done=email-again`,
      summary: 'Asks whether to use the address that a link was mailed to',
      query: z.object({ token: token.default('') }),
      handler(visit) {
        const { organization, user, query } = visit;
        const email = dependencies.engine.read(() => pendingEmail(dependencies, organization, user.id, query.token));
        if (email === undefined) throw lost();
        return confirmPage(visit, email, query.token);
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: confirmPath,
      page: path,
      summary: 'Uses the address that a link was mailed to',
      body: z.object({ token: token.default('') }),
      async handler(visit) {
        const { organization, facts, user, body, base } = visit;
        const isChanged = await redeemEmailChange(dependencies, organization, facts, user.id, body.token);
        if (!isChanged) throw lost();
        return redirect(303, `${base}/account?done=email`);
      },
    }),
  ];
}

function lost(): ProblemError {
  return new ProblemError(problem('not_found', said('account.linkLost')));
}

/** Opened to be changed, or closed where that has been asked for. */
function showEmail(dependencies: AccountDependencies, visit: AccountVisit, done: string | undefined): Reply<never> {
  return profileRoom(dependencies, visit, { open: done === undefined ? 'email' : undefined, done });
}

function confirmPage(visit: AccountVisit, email: string, secret: string): Reply<never> {
  const { t } = visit;
  return accountPage(
    visit,
    {
      room: 'profile',
      title: t('account.useEmailTitle'),
      lead: t.rich('account.useEmail', { email: <strong>{email}</strong> }),
    },
    <AccountForm visit={visit} path="/account/email/confirm" hidden={{ token: secret }} id="confirm">
      <Button>{t('account.useEmailButton')}</Button>
    </AccountForm>,
  );
}
