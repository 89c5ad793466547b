import { z } from 'zod';
import type { Endpoint, Reply } from '../../../http/index.ts';
import { visitorEndpoint } from '../../../identity/signin/index.ts';
import { orOver } from '../authorize/answer/over-page.tsx';
import { type Fetched, ownRequest } from '../authorize/request/stored-request.ts';
import {
  carryOn,
  consentPath,
  type Passage,
  refused,
  signInAgain,
  stepOf,
  type Visit,
} from '../authorize/steps/carry-on.ts';
import { oauthProblem } from '../errors/index.ts';
import type { AuthorizationDependencies } from '../protocol/dependencies.ts';
import { consentPage } from './consent-page.tsx';
import { describedScopes } from './described-scopes.ts';
import { askedScopes } from './needed-consent.ts';

const path = `/orgs/{orgId}${consentPath}` as const;
const requestId = z.string().max(64);

/** Only for what is said where the request is over. */
const clientId = z.string().max(256).optional();

const decided = z.object({
  request: requestId,
  /** Whom the page was shown to. */
  account: z.string().max(256),
  decision: z.enum(['allow', 'refuse', 'switch']),
  client: clientId,
});

/** `{issuer}/consent`: where a stored request goes on, and where the user agrees or refuses. */
export function consentEndpoints(dependencies: AuthorizationDependencies): Endpoint[] {
  return [
    visitorEndpoint(dependencies.visits, {
      method: 'GET',
      path,
      summary: 'Go on with an authorization request',
      query: z.object({ request: requestId, client: clientId }),
      handler(visit) {
        const { request, client } = visit.query;
        return orOver(dependencies.engine, visit, client, () =>
          shown(dependencies, passageOf(dependencies, visit, request)),
        );
      },
    }),
    visitorEndpoint(dependencies.visits, {
      method: 'POST',
      path,
      summary: 'Agree or refuse',
      body: decided,
      handler(visit) {
        return orOver(dependencies.engine, visit, visit.body.client, () => decide(dependencies, visit, visit.body));
      },
    }),
  ];
}

type OwnPassage = Passage & { readonly begun: Fetched['entry'] };

async function decide(
  dependencies: AuthorizationDependencies,
  visit: Visit,
  { request, account, decision }: z.output<typeof decided>,
): Promise<Reply<never>> {
  const passage = passageOf(dependencies, visit, request);
  // somebody else has signed in since the page was shown
  if (visit.visitor.session?.user.id !== account) return await shown(dependencies, passage);
  if (decision === 'refuse')
    return refused(dependencies, passage, oauthProblem('access_denied', 'The user denied the request.'));
  if (decision === 'switch') return await signInAgain(dependencies, passage);
  return await carryOn(dependencies, { ...passage, hasAgreed: true });
}

/** @throws RequestOver where this browser has begun no such request, or it is over */
function passageOf({ engine, clock }: AuthorizationDependencies, visit: Visit, id: string): OwnPassage {
  const { organization, visitor } = visit;
  const { client, entry } = engine.read(() => ownRequest(organization, visitor.browser, id, clock.now()));
  const { request, provider } = entry.document;
  return { visit, client, request, provider, begun: entry };
}

async function shown(dependencies: AuthorizationDependencies, passage: OwnPassage): Promise<Reply<never>> {
  const { visit, client, request, begun } = passage;
  const step = stepOf(dependencies, passage);
  const user = visit.visitor.session?.user;
  if (step.kind !== 'consent' || user === undefined) return await carryOn(dependencies, passage);
  const { store } = visit.organization;
  const scopes = dependencies.engine.read(() => describedScopes(visit.t, store, askedScopes(request)));
  return consentPage(visit, {
    client,
    redirectUri: request.redirectUri,
    scopes,
    account: user.document.email,
    userId: user.id,
    requestId: begun.id,
    action: `${visit.base}${consentPath}`,
    csrf: visit.visitor.csrf,
  });
}
