import type { Store } from '#engine';
import type { Endpoint } from '../../../http/index.ts';
import { usableProvider } from '../../../identity/providers/index.ts';
import { visitorEndpoint } from '../../../identity/signin/index.ts';
import { invalid, notFound } from '../../../kernel/transactions/index.ts';
import { clientOfRedirect } from '../clients/index.ts';
import { begin } from './authorize-endpoints.ts';
import type { AuthorizationDependencies } from './dependencies.ts';
import { authorizationParameters, RequestParameters } from './request/parameters.ts';
import { arrival } from './steps/carry-on.ts';

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
      const { provider, parameters } = dependencies.engine.read(() => {
        const provider = requireUsable(store, params.provider ?? '');
        const parameters = new RequestParameters({ ...usual, ...clientSaid(store, query) });
        return { provider, parameters };
      });
      return begin(dependencies, { ...arrival(visit), parameters, provider });
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

/** @throws ProblemError 404 */
function requireUsable(store: Store, name: string): string {
  if (usableProvider(store, name) === undefined) throw notFound();
  return name;
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
