import { z } from 'zod';
import { type Endpoint, ProblemError, problem, redirect } from '../../http/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { readSettings, type Settings } from '../../settings/index.ts';
import { emailSchema, registerUser } from '../../users/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow/flow-record.ts';
import { type Followed, followed } from '../links/followed.ts';
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
import { policyHint } from '../recovery/password-form.tsx';

type Visit = VisitorVisit<unknown, unknown>;

const start = z.object({ flow: flowId, email: z.string().max(256) });
const completion = z.object({ token: tokenText, name: z.string().max(200), password: passwordText.optional() });

/**
 * `{issuer}/signin/signup`: the address first, which a link confirms; the account is made behind the link. So nothing
 * tells who has an account, and no account has an address that is somebody else's.
 */
export function signupEndpoints(pages: SignInPageParts): Endpoint[] {
  const { parts } = pages;
  return [
    visitorEndpoint(parts, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/signup',
      summary: 'Create an account',
      query: flowQueryOrNone,
      handler(visit) {
        requireOpen(pages, visit);
        if (visit.query.flow === undefined) return beginAt(pages, visit, 'signup');
        const flow = requireFlow(pages, visit, visit.query.flow);
        return startPage(visit, flow, flow.document.loginHint ?? '', []);
      },
    }),
    visitorEndpoint(parts, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/signup',
      summary: 'Ask for a link to create an account',
      body: start,
      async handler(visit) {
        const { body, organization, facts, base } = visit;
        const flow = requireFlow(pages, visit, body.flow);
        requireOpen(pages, visit);
        const email = body.email.trim();
        if (!emailSchema.safeParse(email).success) {
          const message = 'Enter an e-mail address, such as name@example.com.';
          return startPage(visit, flow, email, [{ field: 'email', message }]);
        }
        await requestLink(parts, organization, { flow, purpose: 'signup', email }, facts);
        return redirect(303, `${base}/signin/sent?flow=${flow.id}`);
      },
    }),
    visitorEndpoint(parts, {
      method: 'GET',
      path: '/orgs/{orgId}/signin/signup/complete',
      summary: 'Finish creating an account',
      query: z.object({ token: tokenText }),
      handler(visit) {
        requireOpen(pages, visit);
        const found = parts.engine.read(() => followed(parts, visit, 'signup', visit.query.token));
        return completionPage(pages, visit, found, { token: visit.query.token, name: '', faults: [] });
      },
    }),
    visitorEndpoint(parts, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/signup/complete',
      summary: 'Create an account',
      body: completion,
      handler: (visit) => register(pages, visit),
    }),
  ];
}

/** @throws ProblemError 404 where people make no accounts for themselves */
function requireOpen({ parts: { engine, mailer } }: SignInPageParts, { organization: { store } }: Visit): void {
  const isOpen = engine.read(() => readSettings(store).signIn.allowSignup && mailer.canSend(store));
  if (!isOpen)
    throw new ProblemError(problem('not_found', 'Accounts are made by the administrators here. Ask them for one.'));
}

async function register(pages: SignInPageParts, visit: VisitorVisit<unknown, z.output<typeof completion>>) {
  const { parts, signIn } = pages;
  const { organization, visitor, facts, body } = visit;
  const { store } = organization;
  requireOpen(pages, visit);
  const found = parts.engine.read(() => followed(parts, visit, 'signup', body.token));
  const { link, flow } = found;
  const { email } = link.document;
  const withPassword = asksPassword(parts.engine.read(() => readSettings(store).signIn));
  const name = body.name.trim().replace(/\p{Cc}+/gu, ' ');
  const again = (faults: readonly FormFault[]) =>
    completionPage(pages, visit, found, { token: body.token, name, faults });
  if (withPassword && (body.password ?? '') === '')
    return again([{ field: 'password', message: 'Choose a password.' }]);
  try {
    const registration = {
      email,
      emailVerified: true,
      profile: name === '' ? {} : { name },
      password: withPassword ? body.password : undefined,
      through: 'signup',
    };
    const user = await registerUser(parts, organization, facts, registration, () => spendLink(store, link));
    if (user === undefined) throw linkIsOver();
    const amr = withPassword ? ['pwd'] : ['email'];
    const proof = { userId: user.id, method: 'password', amr, mfa: false, verifiedEmail: email } as const;
    return signIn.proved(organization, visitor, flow, proof, facts);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return again(faultsOf(error, ['password', 'name']));
  }
}

function asksPassword({ allowPassword, magicLinksOnly }: Settings['signIn']): boolean {
  return allowPassword && !magicLinksOnly;
}

function startPage(visit: Visit, flow: FlowEntry, email: string, faults: readonly FormFault[]) {
  const { base, visitor } = visit;
  return renderPage(
    visit,
    { title: 'Create an account', status: faults.length === 0 ? 200 : 422, isWelcome: true },
    <>
      <h1>Create an account</h1>
      <ErrorSummary faults={faults} />
      <Form action={`${base}/signin/signup`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="email"
          hint="A link to continue is sent there."
          value={email}
          faults={faults}
          isFirst
        />
        <Button>Continue</Button>
      </Form>
      <ul class="links">
        <li>
          <a href={`${base}/signin?flow=${flow.id}`}>Sign in with an account that you have</a>
        </li>
      </ul>
    </>,
  );
}

interface Completion {
  readonly token: string;
  readonly name: string;
  readonly faults: readonly FormFault[];
}

function completionPage(
  pages: SignInPageParts,
  visit: Visit,
  { link, flow }: Followed,
  { token, name, faults }: Completion,
) {
  const { base, visitor, organization } = visit;
  const { signIn: settings, passwordPolicy } = pages.parts.engine.read(() => readSettings(organization.store));
  return renderPage(
    visit,
    {
      title: 'Create your account',
      status: faults.length === 0 ? 200 : 422,
      leadsTo: [flow.document.leadsTo],
    },
    <>
      <h1>Create your account</h1>
      <p>
        for <strong>{link.document.email}</strong>
      </p>
      <ErrorSummary faults={faults} />
      <Form
        action={`${base}/signin/signup/complete`}
        csrf={visitor.csrf}
        hidden={{ token, username: link.document.email }}
      >
        <Field
          name="name"
          label="Your name"
          autocomplete="name"
          value={name}
          faults={faults}
          isRequired={false}
          isFirst
        />
        {asksPassword(settings) ? (
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint={policyHint(passwordPolicy)}
            faults={faults}
          />
        ) : null}
        <Button>Create account</Button>
      </Form>
    </>,
  );
}
