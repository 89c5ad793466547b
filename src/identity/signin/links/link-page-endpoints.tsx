import { z } from 'zod';
import { emailSchema } from '../../../directory/users/index.ts';
import type { Endpoint } from '../../../http/index.ts';
import type { PlainKey } from '../../../texts/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import { beginAt, flowId, flowQueryOrNone, requireFlow, type SignInPageDependencies } from '../pages-dependencies.ts';
import { requestLink } from './request-link.ts';

/** A page that asks for an address, and mails a link there. */
export interface LinkPage {
  /** Below `{issuer}/signin`. */
  readonly screen: 'forgot' | 'signup';
  readonly purpose: 'reset' | 'signup';
  readonly title: PlainKey;
  readonly isWelcome?: boolean;
  readonly reason?: PlainKey;
  readonly hint?: PlainKey;
  readonly button: PlainKey;
  /** Before the link to sign-in. */
  readonly ask?: PlainKey;
  /** The words of the link to sign-in. */
  readonly back: PlainKey;
  /** The page itself, in the description of its endpoint. */
  readonly about: string;
  /** What the form asks for, in the description of the endpoint. */
  readonly summary: string;
  /** @throws ProblemError where the organization does not have this */
  requireOpen(visit: VisitorVisit): void;
}

const fields = z.object({ flow: flowId, email: z.string().max(256) });

/** What a {@link LinkPage} shows and takes: the answer never tells whose addresses are known. */
export function linkPageEndpoints(pages: SignInPageDependencies, page: LinkPage): Endpoint[] {
  return formPage(pages, `/signin/${page.screen}`, {
    show: {
      summary: page.about,
      query: flowQueryOrNone,
      handler(visit) {
        page.requireOpen(visit);
        if (visit.query.flow === undefined) return beginAt(pages, visit, page.screen);
        const flow = requireFlow(pages, visit, visit.query.flow);
        return askPage(visit, page, flow, flow.document.loginHint ?? '', []);
      },
    },
    send: {
      summary: page.summary,
      body: fields,
      handler(visit) {
        const flow = requireFlow(pages, visit, visit.body.flow);
        page.requireOpen(visit);
        const email = visit.body.email.trim();
        if (!emailSchema.safeParse(email).success) {
          const message = visit.t('signIn.enterValidEmail');
          return askPage(visit, page, flow, email, [{ field: 'email', message }]);
        }
        return requestLink(pages, visit, { flow, purpose: page.purpose, email });
      },
    },
  });
}

function askPage(visit: VisitorVisit, page: LinkPage, flow: FlowEntry, email: string, faults: readonly FormFault[]) {
  const { base, visitor, t } = visit;
  const { screen, title, isWelcome = false, reason, hint, button, ask, back } = page;
  return renderPage(
    visit,
    { title: t(title), status: faults.length === 0 ? 200 : 422, isWelcome },
    <>
      <h1>{t(title)}</h1>
      {reason === undefined ? null : <p>{t(reason)}</p>}
      <ErrorSummary faults={faults} />
      <Form action={`${base}/signin/${screen}`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
        <Field
          name="email"
          label={t('signIn.email')}
          type="email"
          autocomplete="email"
          {...(hint === undefined ? {} : { hint: t(hint) })}
          value={email}
          faults={faults}
          isFirst
        />
        <Button>{t(button)}</Button>
      </Form>
      <p class="foot">
        {ask === undefined ? null : `${t(ask)} `}
        <a href={`${base}/signin?flow=${flow.id}`}>{t(back)}</a>
      </p>
    </>,
  );
}
