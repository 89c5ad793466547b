import { z } from 'zod';
import { countsNow, getUser } from '../../directory/index.ts';
import { type Endpoint, ProblemError, problem, redirect } from '../../http/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { endAllOf } from '../../sessions/index.ts';
import { readSettings } from '../../settings/index.ts';
import { changeOwnPassword, emailSchema, passwordState } from '../../users/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow/flow-record.ts';
import { followed } from '../links/followed.ts';
import { spendLink } from '../links/link-record.ts';
import { requestLink } from '../links/request-link.ts';
import {
  beginAt,
  faultsOf,
  flowId,
  flowQueryOrNone,
  passwordText,
  requireFlow,
  type SignInPageParts,
  tokenText,
} from '../pages-parts.ts';
import { linkIsOver } from '../problems.ts';
import { emptyPassword, newPasswordPage } from './password-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

const request = z.object({ flow: flowId, email: z.string().max(256) });
const reset = z.object({ token: tokenText, password: passwordText });

/** `{issuer}/signin/forgot` mails a link, and `{issuer}/signin/reset` is what it opens, in the same browser. */
export function forgottenEndpoints(pages: SignInPageParts): Endpoint[] {
  const { parts } = pages;
  return [
    visitorEndpoint(parts, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/forgot',
      summary: 'A forgotten password',
      query: flowQueryOrNone,
      handler(visit) {
        requirePasswords(pages, visit);
        if (visit.query.flow === undefined) return beginAt(pages, visit, 'forgot');
        const flow = requireFlow(pages, visit, visit.query.flow);
        return forgotPage(visit, flow, flow.document.loginHint ?? '', []);
      },
    }),
    visitorEndpoint(parts, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/forgot',
      summary: 'Ask for a link to set a new password',
      body: request,
      async handler(visit) {
        const { body, organization, facts, base } = visit;
        const flow = requireFlow(pages, visit, body.flow);
        requirePasswords(pages, visit);
        const email = body.email.trim();
        if (!emailSchema.safeParse(email).success) {
          const message = 'Enter an e-mail address, such as name@example.com.';
          return forgotPage(visit, flow, email, [{ field: 'email', message }]);
        }
        await requestLink(parts, organization, { flow, purpose: 'reset', email }, facts);
        return redirect(303, `${base}/signin/sent?flow=${flow.id}`);
      },
    }),
    visitorEndpoint(parts, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/reset',
      summary: 'A link to set a new password',
      query: z.object({ token: tokenText }),
      handler: (visit) => resetPage(pages, visit, visit.query.token, []),
    }),
    visitorEndpoint(parts, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/reset',
      summary: 'Set a new password by a link',
      body: reset,
      handler: (visit) => setByLink(pages, visit, visit.body),
    }),
  ];
}

/** @throws ProblemError 404 where nobody signs in with a password */
function requirePasswords({ parts: { engine, mailer } }: SignInPageParts, { organization: { store } }: Visit): void {
  const isOpen = engine.read(() => {
    const { allowPassword, magicLinksOnly } = readSettings(store).signIn;
    return allowPassword && !magicLinksOnly && mailer.canSend(store);
  });
  if (!isOpen)
    throw new ProblemError(problem('not_found', 'Passwords cannot be set by mail here. Ask an administrator.'));
}

/** The link and its user, while both are good. To be called inside `Engine.read`. */
function linkedUser({ parts }: SignInPageParts, visit: Visit, token: string) {
  const { store } = visit.organization;
  const found = followed(parts, visit, 'reset', token);
  const user = getUser(store, found.link.document.userId ?? '');
  const { email, passwordAt } = found.link.document;
  if (user === undefined || !countsNow(user.document) || user.document.email !== email) throw linkIsOver();
  if (passwordState(store, user.id).changedAt !== passwordAt) throw linkIsOver();
  return { ...found, user };
}

function resetPage(pages: SignInPageParts, visit: Visit, token: string, faults: readonly FormFault[]) {
  requirePasswords(pages, visit);
  const { store } = visit.organization;
  const { flow, link, policy } = pages.parts.engine.read(() => {
    return { ...linkedUser(pages, visit, token), policy: readSettings(store).passwordPolicy };
  });
  return newPasswordPage(visit, {
    title: 'Set a new password',
    reason: 'You are signed in with it, and signed out everywhere else.',
    action: '/signin/reset',
    hidden: { token },
    account: link.document.email,
    policy,
    leadsTo: flow.document.leadsTo,
    faults,
  });
}

async function setByLink(pages: SignInPageParts, visit: Visit, { token, password }: z.output<typeof reset>) {
  const { parts, signIn } = pages;
  const { organization, visitor, facts } = visit;
  const { store } = organization;
  requirePasswords(pages, visit);
  const empty = emptyPassword(password);
  if (empty.length > 0) return resetPage(pages, visit, token, empty);
  const { user, flow, link } = parts.engine.read(() => linkedUser(pages, visit, token));
  const ends = () => {
    linkedUser(pages, visit, token);
    const { changes, preconditions } = spendLink(store, link);
    return { changes: [...endAllOf(store, user.id), ...changes], preconditions };
  };
  try {
    await changeOwnPassword(parts, organization, facts, { userId: user.id, password, ends, how: 'reset' });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return resetPage(pages, visit, token, faultsOf(error, ['password']));
  }
  const { email } = user.document;
  const proof = { userId: user.id, method: 'password', amr: ['pwd'], mfa: false, account: email } as const;
  return signIn.proved(organization, visitor, flow, { ...proof, verifiedEmail: email }, facts);
}

function forgotPage(visit: Visit, flow: FlowEntry, email: string, faults: readonly FormFault[]) {
  const { base, visitor } = visit;
  return renderPage(
    visit,
    { title: 'Forgotten password', status: faults.length === 0 ? 200 : 422 },
    <>
      <h1>Forgotten password</h1>
      <p>Enter the address of your account. A link to set a new password is sent there.</p>
      <ErrorSummary faults={faults} />
      <Form action={`${base}/signin/forgot`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
        <Field name="email" label="E-mail" type="email" autocomplete="email" value={email} faults={faults} isFirst />
        <Button>Send the link</Button>
      </Form>
      <ul class="links">
        <li>
          <a href={`${base}/signin?flow=${flow.id}`}>Back to sign-in</a>
        </li>
      </ul>
    </>,
  );
}
