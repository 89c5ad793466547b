import { z } from 'zod';
import type { Endpoint } from '../../../http/index.ts';
import { RESPONSE_MAX } from '../../mfa/index.ts';
import { ButtonLink, ErrorSummary, renderPage } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow/flow-record.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { lost } from '../problems.ts';
import { flowId } from '../second-factor/on-the-way.ts';

/** Signs in whoever holds a passkey: it is two factors, and no other one is asked for. */
export function passkeyEndpoint({ dependencies, signIn }: SignInPageDependencies): Endpoint {
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/passkey',
    summary: 'Sign in with a passkey',
    body: z.object({ flow: flowId, answer: z.string().max(RESPONSE_MAX) }),
    async handler(visit) {
      const { body, organization, visitor, facts } = visit;
      const flow = signIn.flow(organization, visitor, body.flow);
      if (flow === undefined) throw lost();
      const outcome = await dependencies.mfa.assertions.signIn({ organization, binding: flow.id }, body.answer, facts);
      if (!outcome.ok) return refusedPage(visit, flow);
      const { userId, amr } = outcome;
      return signIn.proved(organization, visitor, flow, { userId, method: 'password', amr, mfa: true }, facts);
    },
  });
}

function refusedPage(visit: VisitorVisit<unknown, unknown>, flow: FlowEntry) {
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
