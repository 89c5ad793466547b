import { z } from 'zod';
import type { Endpoint, Reply } from '../../http/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../../signin/index.ts';
import type { AuthorizationParts } from '../authorize/parts.ts';
import { type Fetched, ownRequest } from '../authorize/request/stored-request.ts';
import { arrival, carryOn, consentPath, type Passage, refused, stepOf } from '../authorize/steps/carry-on.ts';
import { oauthProblem } from '../errors/index.ts';
import { consentPage } from './consent-page.tsx';
import { describedScopes } from './described-scopes.ts';
import { askedScopes } from './needed-consent.ts';

const path = `/orgs/{orgId}${consentPath}` as const;
const requestId = z.string().max(64);

const decided = z.object({
  request: requestId,
  /** Whom the page was shown to. */
  account: z.string().max(256),
  decision: z.enum(['allow', 'refuse']),
});

/** `{issuer}/consent`: where a stored request goes on, and where the user agrees or refuses. */
export function consentEndpoints(parts: AuthorizationParts): Endpoint[] {
  return [
    visitorEndpoint(parts.visits, {
      method: 'GET',
      path,
      summary: 'Go on with an authorization request',
      query: z.object({ request: requestId }),
      handler(visit) {
        return shown(parts, visit, passageOf(parts, visit, visit.query.request));
      },
    }),
    visitorEndpoint(parts.visits, {
      method: 'POST',
      path,
      summary: 'Agree or refuse',
      body: decided,
      handler(visit) {
        const { request, account, decision } = visit.body;
        const passage = passageOf(parts, visit, request);
        // somebody else has signed in since the page was shown
        if (visit.visitor.session?.user.id !== account) return shown(parts, visit, passage);
        if (decision === 'refuse') return refused(parts, passage, oauthProblem('access_denied', 'The user refused.'));
        return carryOn(parts, { ...passage, hasAgreed: true });
      },
    }),
  ];
}

type Visit = Pick<
  VisitorVisit<unknown, unknown>,
  'organization' | 'visitor' | 'facts' | 'site' | 'brand' | 'base' | 'call'
>;
type OwnPassage = Passage & { readonly begun: Fetched['entry'] };

/** @throws ProblemError where this browser has begun no such request, or it is over */
function passageOf({ engine, clock }: AuthorizationParts, visit: Visit, id: string): OwnPassage {
  const { organization, visitor } = visit;
  const { client, entry } = engine.read(() => ownRequest(organization, visitor.browser, id, clock.now()));
  const { request, provider } = entry.document;
  return { ...arrival(visit), client, request, provider, begun: entry };
}

async function shown(parts: AuthorizationParts, visit: Visit, passage: OwnPassage): Promise<Reply<never>> {
  const step = stepOf(parts, passage);
  const user = visit.visitor.session?.user;
  if (step.kind !== 'consent' || user === undefined) return await carryOn(parts, passage);
  const { client, request, begun, organization } = passage;
  const scopes = parts.engine.read(() => describedScopes(organization.store, askedScopes(request)));
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
