import type { z } from 'zod';
import type { UserEntry } from '../../../directory/records/index.ts';
import { redeemEmailVerification, redeemPasswordReset, userOfLink } from '../../../directory/users/index.ts';
import type { Endpoint } from '../../../http/index.ts';
import { Button, ButtonLink, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import { newPasswordPage, setPassword } from '../new-password/new-password-page.tsx';
import { passwordText, type SignInPageDependencies, tokenQuery } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';

const reset = tokenQuery.extend({ password: passwordText });

/** What links open that administrators have had mailed: nobody has begun them, so that they work in any browser. */
export function mailedLinkEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return [
    ...formPage(pages, '/account/reset-password', {
      show: {
        summary: 'A link to set a password',
        query: tokenQuery,
        handler: (visit) => resetPage(pages, visit, visit.query.token, []),
      },
      send: {
        summary: 'Set a password by a link',
        body: reset,
        handler: (visit) => resetByLink(pages, visit, visit.body),
      },
    }),
    ...formPage(pages, '/account/verify-email', {
      show: {
        summary: 'A link to confirm an address',
        query: tokenQuery,
        handler(visit) {
          requireLink(pages, visit, visit.query.token, 'verify-email');
          return confirmPage(visit, visit.query.token);
        },
      },
      send: {
        summary: 'Confirm an address by a link',
        body: tokenQuery,
        async handler(visit) {
          const userId = await redeemEmailVerification(pages, visit.organization, visit.facts, visit.body.token);
          if (userId === undefined) throw linkIsOver();
          return donePage(visit, visit.t('links.confirmDone'), visit.t('links.confirmDoneText'));
        },
      },
    }),
  ];
}

/** @throws ProblemError 404 */
function requireLink(
  { engine, clock }: SignInPageDependencies,
  { organization: { store } }: VisitorVisit,
  token: string,
  purpose: 'reset-password' | 'verify-email',
): UserEntry {
  const user = engine.read(() => userOfLink(store, token, purpose, clock.now()));
  if (user === undefined) throw linkIsOver();
  return user;
}

function resetPage(pages: SignInPageDependencies, visit: VisitorVisit, token: string, faults: readonly FormFault[]) {
  return newPasswordPage(pages, visit, {
    title: 'links.setTitle',
    reason: 'links.setReason',
    action: '/account/reset-password',
    hidden: { token },
    user: requireLink(pages, visit, token, 'reset-password').document,
    isNamed: false,
    faults,
  });
}

function resetByLink(pages: SignInPageDependencies, visit: VisitorVisit, { token, password }: z.output<typeof reset>) {
  return setPassword(visit, password, {
    again: (faults) => resetPage(pages, visit, token, faults),
    async set() {
      const userId = await redeemPasswordReset(pages, visit.organization, visit.facts, token, password);
      if (userId === undefined) throw linkIsOver();
    },
    done: () => donePage(visit, visit.t('links.setDone'), visit.t('links.setDoneText')),
  });
}

function confirmPage(visit: VisitorVisit, token: string) {
  const { base, visitor, t } = visit;
  return renderPage(
    visit,
    { title: t('links.confirmTitle') },
    <>
      <h1>{t('links.confirmTitle')}</h1>
      <p>{t('links.confirmText')}</p>
      <Form action={`${base}/account/verify-email`} csrf={visitor.csrf} hidden={{ token }}>
        <Button>{t('links.confirmButton')}</Button>
      </Form>
    </>,
  );
}

function donePage(visit: VisitorVisit, title: string, text: string) {
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
