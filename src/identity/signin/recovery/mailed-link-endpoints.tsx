import { z } from 'zod';
import type { UserEntry } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { redeemEmailVerification, redeemPasswordReset, userOfLink } from '../../../directory/users/index.ts';
import { type Endpoint, ProblemError } from '../../../http/index.ts';
import { Button, ButtonLink, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { strengthCheck } from '../new-password/strength.ts';
import { faultsOf, passwordText, type SignInPageDependencies, tokenText } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';
import { emptyPassword, newPasswordPage } from './password-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

const link = z.object({ token: tokenText });
const reset = z.object({ token: tokenText, password: passwordText });

/** What links open that administrators have had mailed: nobody has begun them, so that they work in any browser. */
export function mailedLinkEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { dependencies } = pages;
  return [
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/account/reset-password',
      summary: 'A link to set a password',
      query: link,
      handler: (visit) => resetPage(pages, visit, visit.query.token, []),
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/reset-password',
      summary: 'Set a password by a link',
      body: reset,
      handler: (visit) => setPassword(pages, visit, visit.body),
    }),
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/account/verify-email',
      summary: 'A link to confirm an address',
      query: link,
      handler(visit) {
        requireLink(pages, visit, visit.query.token, 'verify-email');
        const { base, visitor, query, t } = visit;
        return renderPage(
          visit,
          { title: t('links.confirmTitle') },
          <>
            <h1>{t('links.confirmTitle')}</h1>
            <p>{t('links.confirmText')}</p>
            <Form action={`${base}/account/verify-email`} csrf={visitor.csrf} hidden={{ token: query.token }}>
              <Button>{t('links.confirmButton')}</Button>
            </Form>
          </>,
        );
      },
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/verify-email',
      summary: 'Confirm an address by a link',
      body: link,
      async handler(visit) {
        const user = await redeemEmailVerification(dependencies, visit.organization, visit.facts, visit.body.token);
        if (user === undefined) throw linkIsOver();
        return donePage(visit, visit.t('links.confirmDone'), visit.t('links.confirmDoneText'));
      },
    }),
  ];
}

/** @throws ProblemError 404 */
function requireLink(
  { dependencies: { engine, clock } }: SignInPageDependencies,
  { organization: { store } }: Visit,
  token: string,
  purpose: 'reset-password' | 'verify-email',
): UserEntry {
  const user = engine.read(() => userOfLink(store, token, purpose, clock.now()));
  if (user === undefined) throw linkIsOver();
  return user;
}

function resetPage(pages: SignInPageDependencies, visit: Visit, token: string, faults: readonly FormFault[]) {
  const user = requireLink(pages, visit, token, 'reset-password');
  return newPasswordPage(visit, {
    title: visit.t('links.setTitle'),
    reason: visit.t('links.setReason'),
    action: '/account/reset-password',
    hidden: { token },
    account: undefined,
    policy: pages.dependencies.engine.read(() => readSettings(visit.organization.store).passwordPolicy),
    strength: strengthCheck(pages.dependencies.sealer, visit, user.document),
    faults,
  });
}

async function setPassword(pages: SignInPageDependencies, visit: Visit, { token, password }: z.output<typeof reset>) {
  const { organization, facts } = visit;
  const empty = emptyPassword(visit.t, password);
  if (empty.length > 0) return resetPage(pages, visit, token, empty);
  try {
    const user = await redeemPasswordReset(pages.dependencies, organization, facts, token, password);
    if (user === undefined) throw linkIsOver();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return resetPage(pages, visit, token, faultsOf(visit.t, error, ['password']));
  }
  return donePage(visit, visit.t('links.setDone'), visit.t('links.setDoneText'));
}

function donePage(visit: Visit, title: string, text: string) {
  return renderPage(
    visit,
    { title },
    <>
      <h1>{title}</h1>
      <p role="status">{text}</p>
      <ButtonLink href={`${visit.base}/signin`}>{visit.t('signIn.submit')}</ButtonLink>
    </>,
  );
}
