import { type Problem, ProblemError, problem, type Reply, redirect } from '../../../../http/index.ts';
import { sourceOf } from '../../../../identity/pages/index.ts';
import { liveSession, type SessionEntry } from '../../../../identity/sessions/index.ts';
import type { VisitorVisit } from '../../../../identity/signin/index.ts';
import { said } from '../../../../texts/index.ts';
import { sessionState } from '../../check-session/session-state.ts';
import { type ClientEntry, optionOf } from '../../clients/index.ts';
import { issueCode } from '../../codes/issue-code.ts';
import { getConsent, grantConsent } from '../../consent/consents.ts';
import { askedScopes } from '../../consent/needed-consent.ts';
import { issuerOf } from '../../issuer.ts';
import type { AuthorizationDependencies } from '../../protocol/dependencies.ts';
import { RequestOver } from '../answer/over-page.tsx';
import { refuse } from '../answer/refuse.tsx';
import { sendAnswer } from '../answer/send-answer.ts';
import type { AuthorizationRequest } from '../request/authorization-request.ts';
import { BEGUN_MS, type RequestEntry, storeRequest, takeRequest, waitingRequest } from '../request/request-record.ts';
import { nextStep, type Step } from './next-step.ts';

export type Visit = VisitorVisit<unknown, unknown>;

/** A request on its way, in a browser. */
export interface Passage {
  /** By whom, and with whom the user is spoken to. */
  readonly visit: Visit;
  readonly client: ClientEntry;
  readonly request: AuthorizationRequest;
  /** Straight to this provider of sign-in. */
  readonly provider?: string | undefined;
  /** Where it is stored, bound to this browser. */
  readonly begun?: RequestEntry | undefined;
  readonly hasAgreed?: boolean;
}

/** Where a stored request goes on: after a sign-in, and to ask the user. */
export const consentPath = '/consent';

/** Takes a request to the next thing that it needs: a sign-in, the user's consent, or the answer to the client. */
export async function carryOn(dependencies: AuthorizationDependencies, passage: Passage): Promise<Reply<never>> {
  const step = stepOf(dependencies, passage);
  switch (step.kind) {
    case 'refuse':
      return refused(dependencies, passage, step.problem);
    case 'sign_in':
      return await signIn(dependencies, passage, step);
    case 'consent':
      return redirect(303, await waitingUrl(dependencies, passage));
    case 'code':
      return await answer(dependencies, passage, step.session);
  }
}

/** Tells the client of a refusal, and the user where the client is one that nobody knows. */
export function refused(dependencies: AuthorizationDependencies, passage: Passage, problem: Problem): Reply<never> {
  const { visit, client, request } = passage;
  const { organization, visitor } = visit;
  const userId = visitor.session?.user.id ?? '';
  const consent = dependencies.engine.read(() => getConsent(organization.store, { userId, clientId: client.id }));
  const isHarmless = consent !== undefined || request.prompts.includes('none');
  const issuer = issuerOf(dependencies.baseUrl, organization.slug);
  return refuse({ context: visit, issuer, client, target: request, isHarmless }, problem);
}

/** What it needs now. */
export function stepOf({ engine, clock }: AuthorizationDependencies, passage: Passage): Step {
  const { visit, client, request, begun, provider, hasAgreed = false } = passage;
  const { visitor } = visit;
  const { store } = visit.organization;
  const now = clock.now();
  return engine.read(() => {
    // as it is in this snapshot
    const session = visitor.session && liveSession(store, visitor.session.entry.id, now);
    const begunAt = begun?.document.createdAt;
    const isSent =
      provider !== undefined &&
      !request.prompts.includes('none') &&
      (session === undefined || session.document.authTime < (begunAt ?? now));
    if (isSent) return { kind: 'sign_in', fresh: true, mfa: false };
    return nextStep({ store, client, request, session, begunAt, hasAgreed, now });
  });
}

/** Another user, or the same one anew. */
export function signInAgain(dependencies: AuthorizationDependencies, passage: Passage): Promise<Reply<never>> {
  return signIn(dependencies, passage, { kind: 'sign_in', fresh: true, mfa: false });
}

async function signIn(
  dependencies: AuthorizationDependencies,
  passage: Passage,
  { fresh, mfa }: Step & { readonly kind: 'sign_in' },
): Promise<Reply<never>> {
  const { visit, client, request, provider } = passage;
  return await dependencies.signIn.begin(visit.organization, visit.visitor, {
    returnTo: await waitingUrl(dependencies, passage),
    leadsTo: sourceOf(request.redirectUri),
    client: { id: client.id, name: client.document.name },
    loginHint: request.loginHint,
    screen: request.prompts.includes('create') ? 'signup' : 'signin',
    fresh,
    mfa,
    provider,
  });
}

/** Where the request waits for this browser. */
async function waitingUrl(dependencies: AuthorizationDependencies, passage: Passage): Promise<string> {
  const { visit, request, provider, begun } = passage;
  const { organization, visitor, base } = visit;
  const url = (id: string): string => {
    const query = new URLSearchParams({ request: id, client: request.clientId });
    return `${base}${consentPath}?${query}`;
  };
  if (begun !== undefined) return url(begun.id);
  const sentTo = provider === undefined ? {} : { provider };
  const waiting = { kind: 'begun', request, browser: visitor.browser, ...sentTo } as const;
  return url(await storeRequest(dependencies, organization.store, waiting, BEGUN_MS));
}

/** The code, with all that is over with it. */
async function answer(
  dependencies: AuthorizationDependencies,
  passage: Passage,
  session: SessionEntry,
): Promise<Reply<never>> {
  const { visit, client, request, begun, hasAgreed = false } = passage;
  const { organization, facts, t } = visit;
  const { store } = organization;
  const expectedConsentVersions = hasAgreed || !optionOf(client.document, 'skipConsent');
  const code = await issueCode(
    dependencies,
    organization,
    { request, session, expectedConsentVersions },
    facts,
    (transaction) => {
      const isWaiting =
        begun === undefined || waitingRequest(store, begun.id, transaction.now)?.version === begun.version;
      if (!isWaiting) throw new RequestOver();
      if (begun !== undefined) takeRequest(transaction, begun);
      if (!hasAgreed) return;
      const { userId } = session.document;
      grantConsent(transaction, { userId, clientId: client.id, sessionId: session.id, scopes: askedScopes(request) });
    },
  );
  if (code === undefined) throw new ProblemError(problem('forbidden', said('refusals.sessionEnded')));
  const state = sessionState({ ...request, opState: session.document.opState });
  const answer = { code, session_state: request.scopes.includes('openid') ? state : undefined };
  return sendAnswer(t, request, issuerOf(dependencies.baseUrl, organization.slug), answer);
}
