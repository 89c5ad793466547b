import type { Store } from '#engine';
import { type Endpoint, ProblemError, type Reply, redirect } from '../../../http/index.ts';
import { issuerPath, type PageContext, pageEndpoint } from '../../../identity/pages/index.ts';
import { usableProvider } from '../../../identity/providers/index.ts';
import { visitorEndpoint } from '../../../identity/signin/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { invalid, notFound } from '../../../kernel/transactions/index.ts';
import { clientOfRedirect, optionOf } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { issuerOf } from '../issuer.ts';
import type { AuthorizationDependencies } from '../protocol/dependencies.ts';
import { orOver } from './answer/over-page.tsx';
import { refuse } from './answer/refuse.tsx';
import { checkedRequest } from './checks/checked-request.ts';
import { answerTarget, requireDocument, type Target } from './request/answer-target.ts';
import type { AuthorizationRequest } from './request/authorization-request.ts';
import { authorizationParameters, RequestParameters } from './request/parameters.ts';
import { idOfRequestUri, PUSHED_MS, requestUri, storeRequest } from './request/request-record.ts';
import { takeStored } from './request/stored-request.ts';
import { carryOn, type Visit } from './steps/carry-on.ts';

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
      const id = idOfRequestUri(parameters.one('request_uri') ?? '');
      if (id !== undefined) {
        const clientId = parameters.one('client_id');
        return orOver(dependencies.engine, visit, clientId, async () => {
          const { client, entry } = await takeStored(dependencies, organization, id, clientId);
          const { request, provider } = entry.document;
          return await carryOn(dependencies, { visit, client, request, provider });
        });
      }
      return begin(dependencies, visit, parameters);
    },
  });
}

/**
 * Checks a request that comes by the browser, and takes it as far as it goes now.
 * @param provider of sign-in: straight to it
 */
async function begin(
  dependencies: AuthorizationDependencies,
  visit: Visit,
  parameters: RequestParameters,
  provider?: string,
): Promise<Reply<never>> {
  const target = await targetOf(dependencies, visit.organization, parameters);
  return checkedOr(dependencies, visit, target, parameters, (request) =>
    carryOn(dependencies, { visit, client: target.client, request, provider }),
  );
}

/**
 * A page of another site posts without the cookies of this one. So the request waits, and the browser comes back for it
 * by itself, with its cookies.
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

/** What a request that names only where it leads to is taken for. */
const usual = { response_type: 'code', scope: 'openid' } as const;

/** `GET {org_api}/oauth/social/{provider}`: an authorization request that signs in at a provider, without a page before. */
export function socialSignInEndpoint(dependencies: AuthorizationDependencies): Endpoint {
  const endpoint = visitorEndpoint(dependencies.visits, {
    method: 'GET',
    path: '/orgs/{orgId}/api/v1/oauth/social/{provider}',
    summary: 'Ask a user for authorization, by a provider of sign-in',
    query: authorizationParameters,
    handler(visit) {
      const { organization, query, params } = visit;
      const { store } = organization;
      const { provider = '' } = params;
      const parameters = dependencies.engine.read(() => {
        if (usableProvider(store, provider) === undefined) throw notFound();
        return new RequestParameters({ ...usual, ...clientSaid(store, query) });
      });
      return begin(dependencies, visit, parameters, provider);
    },
  });
  return {
    ...endpoint,
    description:
      'Takes the parameters of the authorization endpoint. The client can be left out where only one is registered ' +
      'with the redirect URI; `response_type` is `code` and `scope` is `openid` where nothing else is said.',
    tags: ['OAuth'],
  };
}

type Query = Readonly<Record<string, unknown>>;

/** The query with the client that it means. */
function clientSaid(store: Store, query: Query): Query {
  const { client_id: clientId, redirect_uri: redirectUri } = query;
  if (clientId !== undefined || typeof redirectUri !== 'string') return query;
  const only = clientOfRedirect(store, redirectUri);
  if (only === undefined) throw invalid('client_id', 'is missing, and redirect_uri does not identify the client');
  return { ...query, client_id: only.id };
}
