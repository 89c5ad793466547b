import { z } from 'zod';
import { emailSchema, pendingEmail, redeemEmailChange, requestEmailChange } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem, type Reply, redirect } from '../../../http/index.ts';
import { Button, Field, type FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf, parseForm } from '../frame/faults.ts';

const path = '/orgs/{orgId}/account/email';
const confirmPath = '/orgs/{orgId}/account/email/confirm';
const labels = { email: 'The address' };
const token = z.string().max(128);

/** A new e-mail address: asked for here, and confirmed by the link that is mailed to it. */
export function emailEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'The e-mail address',
      isSensitive: true,
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => emailPage(visit, '', { done: visit.query.done }),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Asks for another e-mail address',
      isSensitive: true,
      body: z.object({ email: z.string().max(1024).default('') }),
      async handler(visit) {
        const { organization, facts, user, base } = visit;
        const typed = visit.body.email.trim();
        const parsed = parseForm(z.object({ email: emailSchema }), { email: typed }, labels);
        if ('faults' in parsed) return emailPage(visit, typed, { faults: parsed.faults });
        try {
          await requestEmailChange(dependencies, organization, facts, user.id, parsed.values.email);
          return redirect(303, `${base}/account/email?done=email-asked`);
        } catch (error) {
          return emailPage(visit, typed, { faults: faultsOf(error, ['email']) });
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
      async handler({ organization, facts, user, body, base }) {
        const changed = await redeemEmailChange(dependencies, organization, facts, user.id, body.token);
        if (changed === undefined) throw lost();
        return redirect(303, `${base}/account?done=email`);
      },
    }),
  ];
}

function lost(): ProblemError {
  const detail = 'This link is over, was used, or was mailed for another account than the one that is signed in here.';
  return new ProblemError(problem('not_found', detail));
}

interface Outcome {
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
}

function emailPage(visit: AccountVisit, value: string, { done, faults = [] }: Outcome): Reply<never> {
  const { user } = visit;
  const { email, emailVerified } = user.document;
  return accountPage(
    visit,
    { room: '/account/email', title: 'E-mail address', done, faults },
    <>
      <p>
        {'Your address is '}
        <strong>{email}</strong>
        {emailVerified ? '.' : ', which is not confirmed.'}
      </p>
      {emailVerified ? null : (
        <AccountForm visit={visit} path="/account/email" hidden={{ email }} id="own-email">
          <Button kind="other">Send a link to confirm it</Button>
        </AccountForm>
      )}
      <AccountForm visit={visit} path="/account/email" id="new-email">
        <Field
          name="email"
          label="New address"
          type="email"
          autocomplete="email"
          value={value}
          faults={faults}
          hint="A link is mailed there. The address changes when you follow it."
        />
        <Button>Send the link</Button>
      </AccountForm>
    </>,
  );
}

function confirmPage(visit: AccountVisit, email: string, secret: string): Reply<never> {
  return accountPage(
    visit,
    { room: '/account/email', title: 'Confirm the address' },
    <AccountForm visit={visit} path="/account/email/confirm" hidden={{ token: secret }} id="confirm">
      <p>
        {'From now on you sign in with '}
        <strong>{email}</strong>.
      </p>
      <Button>Use this address</Button>
    </AccountForm>,
  );
}
