import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { emailSchema } from '../../../directory/users/index.ts';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import type { Texts } from '../../../texts/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { usableProviders } from '../../providers/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import { mailFirstPassword } from '../links/first-password.ts';
import { requestLink } from '../links/request-link.ts';
import { flowId, passwordText, requireFlow, type SignInPageDependencies } from '../pages-dependencies.ts';
import { passkeyPiece } from '../passkey.tsx';
import { type Attempted, attemptPassword } from './password-attempt.ts';
import { type SignInView, signInPage, waysOf } from './sign-in-page.tsx';

const query = z.object({ flow: flowId.optional(), at: z.literal('identified').optional().catch(undefined) });
const form = z.object({
  flow: flowId,
  identifier: z.string().max(256),
  password: passwordText.default(''),
  way: z.enum(['identify', 'password', 'link']).default('password'),
});

type Form = z.output<typeof form>;

/** `{issuer}/signin`: the first page, and what its form does. */
export function signInEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { signIn } = pages;
  return formPage(pages, '/signin', {
    show: {
      summary: 'Sign in',
      query,
      handler(visit) {
        const { organization, visitor, base } = visit;
        const account = `${base}/account`;
        if (visit.query.flow === undefined) {
          return visitor.session ? redirect(303, account) : signIn.begin(organization, visitor, { returnTo: account });
        }
        // back at the page of a sign-in that has led here
        const isOver = signIn.flow(organization, visitor, visit.query.flow) === undefined;
        if (isOver && visitor.session !== undefined) return redirect(303, account);
        const flow = requireFlow(pages, visit, visit.query.flow);
        const { fresh, mfa, returnTo } = flow.document;
        if (visitor.session !== undefined && !fresh && !mfa) return redirect(303, returnTo);
        return signInPage(visit, viewOf(pages, visit, flow, { isIdentified: visit.query.at === 'identified' }));
      },
    },
    send: {
      summary: 'Sign in with a password, or ask for a link',
      body: form,
      handler: (visit) => tried(pages, visit, requireFlow(pages, visit, visit.body.flow), visit.body),
    },
  });
}

function viewOf(
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  flow: FlowEntry,
  more: Partial<SignInView>,
): SignInView {
  const { engine, mailer } = pages;
  const { store } = visit.organization;
  return engine.read(() => {
    const { signIn: settings } = readSettings(store);
    return {
      flow,
      settings,
      providers: usableProviders(store).map(({ document: { provider, name } }) => ({ provider, name })),
      passkey: settings.allowPasskeys ? passkeyPiece(pages, visit, flow) : undefined,
      hasMail: mailer.canSend(store),
      isIdentified: false,
      identifier: flow.document.loginHint ?? '',
      faults: [],
      ...more,
    };
  });
}

async function tried(
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  flow: FlowEntry,
  body: Form,
): Promise<Reply<never>> {
  const identifier = body.identifier.trim();
  const isIdentified = body.way !== 'identify';
  const view = viewOf(pages, visit, flow, { identifier, isIdentified });
  const ways = waysOf(view);
  const again = (fault: FormFault, more: Partial<SignInView> = {}) =>
    signInPage(visit, { ...view, faults: [fault], status: 422, ...more });
  if (identifier === '') return again({ field: 'identifier', message: visit.t('signIn.enterEmail') });
  if (body.way === 'identify') {
    // the address goes with the flow; what the next page shows is the same for everybody
    await pages.signIn.remember(visit, flow, identifier);
    return redirect(303, `${visit.base}/signin?flow=${flow.id}&at=identified`);
  }
  if (body.way === 'link' || !ways.hasPassword) {
    if (!ways.hasLink) return again({ field: '', message: visit.t('signIn.wayClosed') });
    if (!emailSchema.safeParse(identifier).success) {
      return again({ field: 'identifier', message: visit.t('signIn.enterValidEmail') });
    }
    return requestLink(pages, visit, { flow, purpose: 'magic', email: identifier });
  }
  if (body.password === '') return again({ field: 'password', message: visit.t('signIn.enterPassword') });
  const { organization, facts } = visit;
  const tried = { identifier, password: body.password };
  const outcome = await attemptPassword(pages, organization, tried, facts);
  if (outcome.kind === 'proved') return pages.signIn.proved(visit, flow, outcome.proof);
  if (outcome.kind === 'wrong' && outcome.withoutPassword !== undefined) {
    const about = { flow: flow.id, userId: outcome.withoutPassword };
    mailFirstPassword(pages, organization, about, facts);
  }
  return again(...refusal(visit.t, outcome, view.hasMail, pages.clock.now()));
}

function refusal(
  t: Texts,
  outcome: Exclude<Attempted, { kind: 'proved' }>,
  hasMail: boolean,
  now: number,
): [FormFault, Partial<SignInView>] {
  if (outcome.kind === 'wrong') return [{ field: '', message: t(hasMail ? 'signIn.wrongOrNone' : 'signIn.wrong') }, {}];
  const seconds = Math.max(1, Math.ceil((outcome.until - now) / 1000));
  const message = t('signIn.locked', { count: Math.ceil(seconds / 60), time: t.time(outcome.until) });
  return [
    { field: '', message },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  ];
}
