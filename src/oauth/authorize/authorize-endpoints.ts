import { type Endpoint, ProblemError, type Reply, redirect } from '../../http/index.ts';
import type { Organization } from '../../orgs/index.ts';
import { pageEndpoint } from '../../pages/index.ts';
import { visitorEndpoint } from '../../signin/index.ts';
import { optionsOf } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { sendRefusal } from './answer/send-answer.ts';
import { checkedRequest } from './checks/checked-request.ts';
import type { AuthorizationParts } from './parts.ts';
import { answerTarget, type Target } from './request/answer-target.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { authorizationParameters, RequestParameters } from './request/parameters.ts';
import { idOfRequestUri, PUSHED_MS, requestUri, storing } from './request/request-record.ts';
import { takeStored } from './request/stored-request.ts';
import { carryOn, type Passage } from './steps/carry-on.ts';

const path = '/orgs/{orgId}/api/v1/oauth/authorize';

const described = {
  description:
    'Where the client and the redirect URI are good, every answer goes there, errors included, with `iss` (RFC 9207) and ' +
    'the `state` of the request; otherwise a page says what is wrong.',
  tags: ['OAuth'],
} as const;

/** `{org_api}/oauth/authorize` (RFC 6749, 3.1), for browsers. */
export function authorizeEndpoints(parts: AuthorizationParts): Endpoint[] {
  return [getEndpoint(parts), postEndpoint(parts)].map((endpoint) => ({ ...endpoint, ...described }));
}

function getEndpoint(parts: AuthorizationParts): Endpoint {
  return visitorEndpoint(parts.visits, {
    method: 'GET',
    path,
    summary: 'Ask a user for authorization',
    query: authorizationParameters,
    async handler({ organization, visitor, facts, query }) {
      const parameters = new RequestParameters(query);
      const id = idOfRequestUri(parameters.one('request_uri') ?? '');
      if (id !== undefined) {
        const { client, entry } = await takeStored(parts, organization, id, parameters.one('client_id'));
        const { request, provider } = entry.document;
        return carryOn(parts, { organization, visitor, facts, client, request, provider });
      }
      const target = parts.engine.read(() => answerTarget(organization.store, parameters));
      return begin(parts, { organization, visitor, facts, target, parameters });
    },
  });
}

interface Beginning extends Pick<Passage, 'organization' | 'visitor' | 'facts' | 'provider'> {
  readonly target: Target;
  readonly parameters: RequestParameters;
}

/** Checks a request that comes by the browser, and takes it as far as it goes now. */
export function begin(parts: AuthorizationParts, beginning: Beginning): Promise<Reply<never>> {
  const { organization, target, parameters, ...rest } = beginning;
  return checkedOr(parts, organization, target, parameters, (request) =>
    carryOn(parts, { ...rest, organization, client: target.client, request }),
  );
}

/**
 * A page of another site that posts comes without the cookies of this one. The request waits, and the browser comes back
 * for it by itself: then it brings them.
 */
function postEndpoint(parts: AuthorizationParts): Endpoint {
  const { engine, clock, baseUrl } = parts;
  return pageEndpoint(parts, {
    method: 'POST',
    path,
    summary: 'Ask a user for authorization, by a form',
    body: authorizationParameters,
    handler({ organization, body }) {
      const { slug, store } = organization;
      const parameters = new RequestParameters(body);
      const target = engine.read(() => answerTarget(store, parameters));
      return checkedOr(parts, organization, target, parameters, async (request) => {
        const now = clock.now();
        const record = { kind: 'posted', request, createdAt: now, expiresAt: now + PUSHED_MS } as const;
        const { id, changes } = engine.read(() => storing(store, record));
        await engine.submit(engine.command([...changes]));
        const query = new URLSearchParams({ client_id: request.clientId, request_uri: requestUri(id) });
        return redirect(303, `${issuerUrls(baseUrl, slug).api}/oauth/authorize?${query}`);
      });
    },
  });
}

/** Goes on with the request, or sends the client what is wrong with it. */
async function checkedOr(
  parts: AuthorizationParts,
  organization: Organization,
  target: Target,
  parameters: RequestParameters,
  goOn: (request: AuthorizationRequest) => Promise<Reply<never>>,
): Promise<Reply<never>> {
  const { issuer } = issuerUrls(parts.baseUrl, organization.slug);
  let request: AuthorizationRequest;
  try {
    requireNotPushed(target);
    request = await checkedRequest(parts, organization, target, parameters);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.kind.status < 500) {
      return sendRefusal(target.target, issuer, error.problem);
    }
    throw error;
  }
  return await goOn(request);
}

/** RFC 9126, 6. */
function requireNotPushed({ client }: Target): void {
  if (!optionsOf(client.document).requirePushedAuthorizationRequests) return;
  throw oauthError('invalid_request', 'The client must push its requests.');
}
