import { type Endpoint, ProblemError, type Reply, redirect } from '../../../http/index.ts';
import { issuerPath, type PageContext, pageEndpoint } from '../../../identity/pages/index.ts';
import { visitorEndpoint } from '../../../identity/signin/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { optionOf } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { issuerOf } from '../issuer.ts';
import { orOver } from './answer/over-page.tsx';
import { refuse } from './answer/refuse.tsx';
import { checkedRequest } from './checks/checked-request.ts';
import type { AuthorizationDependencies } from './dependencies.ts';
import { answerTarget, type Target } from './request/answer-target.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { requireDocument } from './request/client-document.ts';
import { authorizationParameters, RequestParameters } from './request/parameters.ts';
import { idOfRequestUri, PUSHED_MS, requestUri, storeRequest } from './request/request-record.ts';
import { takeStored } from './request/stored-request.ts';
import { type Arrival, arrival, carryOn } from './steps/carry-on.ts';

const path = '/orgs/{orgId}/api/v1/oauth/authorize';

const described = {
  description:
    'Where the client and the redirect URI are good, every answer goes there, errors included, with `iss` (RFC 9207) and ' +
    'the `state` of the request; otherwise a page says what is wrong.',
  tags: ['OAuth'],
} as const;

/** `{org_api}/oauth/authorize` (RFC 6749, 3.1), for browsers. */
export function authorizeEndpoints(dependencies: AuthorizationDependencies): Endpoint[] {
  return [getEndpoint(dependencies), postEndpoint(dependencies)].map((endpoint) => ({ ...endpoint, ...described }));
}

function getEndpoint(dependencies: AuthorizationDependencies): Endpoint {
  return visitorEndpoint(dependencies.visits, {
    method: 'GET',
    path,
    summary: 'Ask a user for authorization',
    query: authorizationParameters,
    handler(visit) {
      const { organization, query } = visit;
      const parameters = new RequestParameters(query);
      const arrived = arrival(visit);
      const id = idOfRequestUri(parameters.one('request_uri') ?? '');
      if (id !== undefined) {
        const clientId = parameters.one('client_id');
        return orOver(dependencies.engine, visit, clientId, async () => {
          const { client, entry } = await takeStored(dependencies, organization, id, clientId);
          const { request, provider } = entry.document;
          return await carryOn(dependencies, { ...arrived, client, request, provider });
        });
      }
      return begin(dependencies, { ...arrived, parameters });
    },
  });
}

interface Beginning extends Arrival {
  readonly provider?: string;
  readonly parameters: RequestParameters;
}

/** Checks a request that comes by the browser, and takes it as far as it goes now. */
export async function begin(dependencies: AuthorizationDependencies, beginning: Beginning): Promise<Reply<never>> {
  const { parameters, ...rest } = beginning;
  const target = await targetOf(dependencies, rest.organization, parameters);
  return checkedOr(dependencies, rest.context, target, parameters, (request) =>
    carryOn(dependencies, { ...rest, client: target.client, request }),
  );
}

/**
 * A page of another site that posts comes without the cookies of this one. The request waits, and the browser comes back
 * for it by itself: then it brings them.
 */
function postEndpoint(dependencies: AuthorizationDependencies): Endpoint {
  return pageEndpoint(dependencies, {
    method: 'POST',
    path,
    summary: 'Ask a user for authorization, by a form',
    body: authorizationParameters,
    async handler(context) {
      const { organization, body, site } = context;
      const { slug, store } = organization;
      const parameters = new RequestParameters(body);
      const target = await targetOf(dependencies, organization, parameters);
      return checkedOr(dependencies, context, target, parameters, async (request) => {
        const id = await storeRequest(dependencies, store, { kind: 'posted', request }, PUSHED_MS);
        const query = new URLSearchParams({ client_id: request.clientId, request_uri: requestUri(id) });
        return redirect(303, `${issuerPath(site, slug)}/api/v1/oauth/authorize?${query}`);
      });
    },
  });
}

/** Who asks, as it is now, and where the answer goes. @throws ProblemError for the user's eyes */
async function targetOf(
  dependencies: AuthorizationDependencies,
  organization: Organization,
  parameters: RequestParameters,
): Promise<Target> {
  await requireDocument(dependencies, organization, parameters.one('client_id'));
  return dependencies.engine.read(() => answerTarget(organization.store, parameters));
}

/** Goes on with the request, or sends the client what is wrong with it. */
async function checkedOr(
  dependencies: AuthorizationDependencies,
  context: PageContext,
  target: Target,
  parameters: RequestParameters,
  goOn: (request: AuthorizationRequest) => Promise<Reply<never>>,
): Promise<Reply<never>> {
  const { organization } = context;
  let request: AuthorizationRequest;
  try {
    requireNotPushed(target);
    request = await checkedRequest(dependencies, organization, target, parameters);
  } catch (error) {
    if (error instanceof ProblemError && error.problem.kind.status < 500) {
      const issuer = issuerOf(dependencies.baseUrl, organization.slug);
      const isHarmless = (parameters.one('prompt') ?? '').split(' ').includes('none');
      return refuse({ context, issuer, ...target, isHarmless }, error.problem);
    }
    throw error;
  }
  return await goOn(request);
}

/** RFC 9126, 6. */
function requireNotPushed({ client }: Target): void {
  if (!optionOf(client.document, 'requirePushedAuthorizationRequests')) return;
  throw oauthError('invalid_request', 'The client must push its requests.');
}
