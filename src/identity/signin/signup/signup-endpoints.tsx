import { z } from 'zod';
import { readSettings, type Settings } from '../../../directory/settings/index.ts';
import { registerUser } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError, problem } from '../../../http/index.ts';
import { said } from '../../../texts/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import { type Followed, flowOf, followed, telling } from '../links/followed.ts';
import { linkPageEndpoints } from '../links/link-page-endpoints.tsx';
import { spendLink } from '../links/link-record.ts';
import { NewPasswordField } from '../new-password/new-password-field.tsx';
import { strengthCheck, strengthScript } from '../new-password/strength.ts';
import { faultsOf, passwordText, type SignInPageDependencies, tokenQuery } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';

const completion = tokenQuery.extend({ name: z.string().max(200), password: passwordText.optional() });

/**
 * `{issuer}/signin/signup`: the address first, which a link confirms; the account is made behind the link. So nothing
 * tells who has an account, and no account has an address that is somebody else's.
 */
export function signupEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return [
    ...linkPageEndpoints(pages, {
      screen: 'signup',
      purpose: 'signup',
      title: 'signUp.title',
      isWelcome: true,
      hint: 'signUp.hint',
      button: 'signIn.continue',
      ask: 'signUp.haveAccount',
      back: 'signIn.submit',
      about: 'Create an account',
      summary: 'Ask for a link to create an account',
      requireOpen: (visit) => requireOpen(pages, visit),
    }),
    ...formPage(pages, '/signin/signup/complete', {
      show: {
        summary: 'Finish creating an account',
        query: tokenQuery,
        handler(visit) {
          requireOpen(pages, visit);
          const found = pages.engine.read(() => followed(pages, visit, 'signup', visit.query.token));
          return completionPage(pages, visit, found, { token: visit.query.token, name: '', faults: [] });
        },
      },
      send: { summary: 'Create an account', body: completion, handler: (visit) => register(pages, visit) },
    }),
  ];
}

/** @throws ProblemError 404 where people make no accounts for themselves */
function requireOpen({ engine, mailer }: SignInPageDependencies, { organization: { store } }: VisitorVisit): void {
  const isOpen = engine.read(() => readSettings(store).signIn.allowSignup && mailer.canSend(store));
  if (!isOpen) throw new ProblemError(problem('not_found', said('signUp.closed')));
}

async function register(pages: SignInPageDependencies, visit: VisitorVisit<unknown, z.output<typeof completion>>) {
  const { organization, facts, body } = visit;
  const { store } = organization;
  requireOpen(pages, visit);
  const found = pages.engine.read(() => followed(pages, visit, 'signup', body.token));
  const { link } = found;
  const { email } = link.document;
  const withPassword = asksPassword(pages.engine.read(() => readSettings(store).signIn));
  const name = body.name.trim().replace(/\p{Cc}+/gu, ' ');
  const again = (faults: readonly FormFault[]) =>
    completionPage(pages, visit, found, { token: body.token, name, faults });
  if (withPassword && (body.password ?? '') === '')
    return again([{ field: 'password', message: visit.t('passwords.choose') }]);
  try {
    const registration = {
      email,
      emailVerified: true,
      profile: name === '' ? {} : { name },
      password: withPassword ? body.password : undefined,
      through: 'signup',
    };
    const userId = await registerUser(pages, organization, facts, registration, () =>
      spendLink(store, link, telling(store, found, { kind: 'used' })),
    );
    if (userId === undefined) throw linkIsOver();
    const amr = withPassword ? ['pwd'] : ['email'];
    const proof = { userId, method: 'password', amr, mfa: false, verifiedEmail: email } as const;
    return pages.signIn.proved(visit, await flowOf(pages, visit, found), proof);
  } catch (error) {
    return again(faultsOf(visit.t, error, ['password', 'name']));
  }
}

function asksPassword({ allowPassword, magicLinksOnly }: Settings['signIn']): boolean {
  return allowPassword && !magicLinksOnly;
}

interface Completion {
  readonly token: string;
  readonly name: string;
  readonly faults: readonly FormFault[];
}

function completionPage(
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  { link, flow }: Followed,
  { token, name, faults }: Completion,
) {
  const { base, visitor, organization, t } = visit;
  const { signIn: settings, passwordPolicy } = pages.engine.read(() => readSettings(organization.store));
  return renderPage(
    visit,
    {
      title: t('signUp.completeTitle'),
      status: faults.length === 0 ? 200 : 422,
      leadsTo: [flow?.document.leadsTo],
      scripts: [strengthScript],
      asks: true,
    },
    <>
      <h1>{t('signUp.completeTitle')}</h1>
      <p>{t.rich('signUp.for', { email: <strong>{link.document.email}</strong> })}</p>
      <ErrorSummary faults={faults} />
      <Form
        action={`${base}/signin/signup/complete`}
        csrf={visitor.csrf}
        hidden={{ token, username: link.document.email }}
      >
        <Field
          name="name"
          label={t('signUp.name')}
          autocomplete="name"
          value={name}
          faults={faults}
          isRequired={false}
          isFirst
        />
        {asksPassword(settings) ? (
          <NewPasswordField
            t={t}
            label={t('passwords.password')}
            policy={passwordPolicy}
            strength={strengthCheck(pages.sealer, visit, { email: link.document.email })}
            faults={faults}
          />
        ) : null}
        <Button>{t('signUp.create')}</Button>
      </Form>
    </>,
  );
}
