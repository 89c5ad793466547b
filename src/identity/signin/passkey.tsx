import { z } from 'zod';
import type { Endpoint } from '../../http/index.ts';
import { RESPONSE_MAX } from '../mfa/index.ts';
import { ButtonLink, ErrorSummary, renderPage } from '../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from './browser/visitor-endpoint.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { PagePiece } from './first-factor/sign-in-page.tsx';
import type { FlowEntry } from './flow-record.ts';
import { flowId, requireFlow, type SignInPageDependencies } from './pages-dependencies.ts';
import { WebAuthnForm, webAuthnScripts } from './second-factor/webauthn-form.tsx';

/** The button that signs in with a passkey, and passkeys among the user names that the browser fills in. */
export function passkeyPiece(
  { mfa }: SignInDependencies,
  { organization, visitor, base, t }: VisitorVisit,
  flow: FlowEntry,
): PagePiece {
  return {
    scripts: webAuthnScripts,
    markup: (
      <WebAuthnForm
        ceremony="get"
        options={mfa.assertions.signInOptions({ organization, binding: flow.id })}
        action={`${base}/signin/passkey`}
        csrf={visitor.csrf}
        hidden={{ flow: flow.id }}
        label={t('secondFactor.passkeySignIn')}
        t={t}
        kind="other"
        isAutofilled
      />
    ),
  };
}

/** Signs in whoever holds a passkey: it is two factors, and no other one is asked for. */
export function passkeyEndpoint(pages: SignInPageDependencies): Endpoint {
  return visitorEndpoint(pages, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/passkey',
    summary: 'Sign in with a passkey',
    body: z.object({ flow: flowId, answer: z.string().max(RESPONSE_MAX) }),
    async handler(visit) {
      const { body, organization, facts } = visit;
      const flow = requireFlow(pages, visit, body.flow);
      const outcome = await pages.mfa.assertions.signIn({ organization, binding: flow.id }, body.answer, facts);
      if (!outcome.ok) return refusedPage(visit, flow);
      const { userId, amr } = outcome;
      return pages.signIn.proved(visit, flow, { userId, method: 'password', amr, mfa: true });
    },
  });
}

function refusedPage(visit: VisitorVisit, flow: FlowEntry) {
  const { t } = visit;
  return renderPage(
    visit,
    { title: t('signIn.title'), status: 422 },
    <>
      <h1>{t('signIn.title')}</h1>
      <ErrorSummary faults={[{ field: '', message: t('secondFactor.passkeyRefused') }]} />
      <p>{t('secondFactor.passkeyRefusedText')}</p>
      <ButtonLink href={`${visit.base}/signin?flow=${flow.id}`} kind="main">
        {t('secondFactor.tryAgain')}
      </ButtonLink>
    </>,
  );
}
