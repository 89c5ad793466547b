import { z } from 'zod';
import { bytes, type Endpoint, redirect } from '../../../http/index.ts';
import { asset, Button, Form, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import { flowId, flowQuery, requireFlow, type SignInPageDependencies } from '../pages-dependencies.ts';
import { proofOf } from './magic-link-endpoints.tsx';

/** Asks whether the link was followed in another browser, for a while, and goes on then. */
export const waitingScript = asset('waiting.js');

const path = '/signin/sent';
/** So long a page asks by itself. */
const WAITING_S = 15 * 60;

/**
 * `{issuer}/signin/sent`: a mail may be on its way. It says the same whoever has the address. Where the link is followed
 * in another browser, this one goes on by itself.
 */
export function sentEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { signIn } = pages;
  return [
    ...formPage(pages, path, {
      show: {
        summary: 'An email is on its way',
        query: flowQuery,
        handler(visit) {
          const { organization, visitor, base, query } = visit;
          // the link was followed in this browser
          const isOver = signIn.flow(organization, visitor, query.flow) === undefined;
          if (isOver && visitor.session !== undefined) return redirect(303, `${base}/account`);
          const flow = requireFlow(pages, visit, query.flow);
          const { elsewhere } = flow.document;
          if (elsewhere === undefined) return waitingPage(visit, flow);
          return elsewhere.kind === 'used' ? usedPage(visit) : approvedPage(visit, flow);
        },
      },
      send: {
        summary: 'Go on where a mailed link was followed in another browser',
        body: z.object({ flow: flowId }),
        handler(visit) {
          const flow = requireFlow(pages, visit, visit.body.flow);
          const { elsewhere } = flow.document;
          if (elsewhere?.kind !== 'approved') return redirect(303, `${visit.base}${path}?flow=${flow.id}`);
          return signIn.proved(visit, flow, proofOf(elsewhere));
        },
      },
    }),
    visitorEndpoint(pages, {
      method: 'GET',
      path: `/orgs/{orgId}${path}/state`,
      summary: 'Whether a mailed link was followed in another browser',
      query: flowQuery,
      handler({ organization, visitor, query }) {
        const flow = signIn.flow(organization, visitor, query.flow);
        const state = flow === undefined ? 'over' : (flow.document.elsewhere?.kind ?? 'waiting');
        return bytes(200, 'application/json', JSON.stringify({ state }));
      },
    }),
  ];
}

function waitingPage(visit: VisitorVisit, flow: FlowEntry) {
  const { base, t } = visit;
  return renderPage(
    visit,
    { title: t('links.checkEmail'), scripts: [waitingScript], asks: true, leadsTo: [flow.document.leadsTo] },
    <>
      <h1>{t('links.checkEmail')}</h1>
      <p>{t.rich('links.sentTo', { email: <strong>{flow.document.loginHint ?? ''}</strong> })}</p>
      <p class="hint">{t('links.sentHint')}</p>
      <div data-waits={`${base}/signin/sent/state?flow=${flow.id}`} data-seconds={WAITING_S} hidden>
        <p role="status">{t('links.staysOpen')}</p>
        <GoOn visit={visit} flow={flow} />
      </div>
      <p class="foot">
        <a href={`${base}/signin?flow=${flow.id}`}>{t('links.backToSignIn')}</a>
      </p>
    </>,
  );
}

function approvedPage(visit: VisitorVisit, flow: FlowEntry) {
  const { t } = visit;
  return renderPage(
    visit,
    { title: t('links.confirmedTitle'), leadsTo: [flow.document.leadsTo] },
    <>
      <h1>{t('links.confirmedTitle')}</h1>
      <p>{t('links.confirmed')}</p>
      <GoOn visit={visit} flow={flow} isShown />
    </>,
  );
}

function usedPage(visit: VisitorVisit) {
  const { t } = visit;
  return renderPage(
    visit,
    { title: t('links.usedTitle') },
    <>
      <h1>{t('links.usedTitle')}</h1>
      <p role="status">{t('links.used')}</p>
    </>,
  );
}

interface GoOnProps {
  readonly visit: VisitorVisit;
  readonly flow: FlowEntry;
  readonly isShown?: boolean;
}

/** What the script sends. */
function GoOn({ visit: { base, visitor, t }, flow, isShown = false }: GoOnProps) {
  return (
    <Form action={`${base}/signin/sent`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
      {isShown ? <Button>{t('links.continue')}</Button> : null}
    </Form>
  );
}
