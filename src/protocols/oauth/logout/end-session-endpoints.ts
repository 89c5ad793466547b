import { z } from 'zod';
import { type Endpoint, Problem, type Reply, redirect } from '../../../http/index.ts';
import { leaving } from '../../../identity/pages/index.ts';
import { participationsIn } from '../../../identity/sessions/index.ts';
import {
  type SignInDependencies,
  type VisitorVisit,
  visitorEndpoint,
  withoutSession,
} from '../../../identity/signin/index.ts';
import { comesByItself } from '../clients/index.ts';
import { type LogoutParameters, type LogoutRequest, logoutFields, readLogoutRequest } from './logout-request.ts';
import { questionPage, signedOutPage } from './sign-out-pages.tsx';

const endSessionPath = '/orgs/{orgId}/api/v1/oauth/end_session';
const signOutPath = '/orgs/{orgId}/signout';
/** Longer tokens would not fit into the head of a request: without one the user is asked. */
const HINT_IN_QUERY_MAX = 2048;

/** Clients that know of one session, searched for one that knows it by an earlier name. */
const KNOWN_MAX = 1000;

const parameters = z.object(logoutFields);

/** The end of a session as an application asks for it (OpenID Connect RP-Initiated Logout 1.0). */
export function endSessionEndpoints(dependencies: SignInDependencies): Endpoint[] {
  const endpoints = [
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: endSessionPath,
      summary: 'Sign out of the provider (OpenID Connect RP-Initiated Logout 1.0)',
      query: parameters,
      handler: (visit) => follow(dependencies, visit, visit.query),
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: endSessionPath,
      summary: 'The same with a form',
      body: parameters,
      csrf: 'none',
      // a form of another site comes without the session's cookie; the redirect comes with it
      async handler({ body, base, organization }) {
        const request = await readLogoutRequest(dependencies, organization, body);
        if (request instanceof Problem) return request;
        return redirect(303, `${base}/api/v1/oauth/end_session${queryOf({ ...body, client_id: request.client?.id })}`);
      },
    }),
  ];
  return endpoints.map((endpoint) => ({ ...endpoint, ...described }));
}

const described = {
  description:
    'For browsers. Who shows an ID token of the session that goes on here ends it at once; others are asked. Then it ' +
    'leads to `post_logout_redirect_uri`, where the client has registered it, with the `state`.',
  tags: ['OAuth'],
} as const;

/** The same as its user asks for it. */
export function signOutPages(dependencies: SignInDependencies): Endpoint[] {
  return [
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: signOutPath,
      summary: 'Asks whether to sign out',
      handler: (visit) => follow(dependencies, visit, {}),
    }),
    visitorEndpoint(dependencies, {
      method: 'POST',
      path: signOutPath,
      summary: 'Signs out',
      body: parameters,
      async handler(visit) {
        const request = await readLogoutRequest(dependencies, visit.organization, visit.body);
        return request instanceof Problem ? request : leave(dependencies, visit, request);
      },
    }),
    visitorEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/signed-out',
      summary: 'Says that nobody is signed in',
      handler: (visit) =>
        visit.visitor.session === undefined ? signedOutPage(visit, visit.base) : redirect(303, `${visit.base}/account`),
    }),
  ];
}

type Visit = Omit<VisitorVisit<unknown, unknown>, 'query' | 'body' | 'call'>;

/** At once where the application shows that it was told of this very session; otherwise the user is asked. */
async function follow(
  dependencies: SignInDependencies,
  visit: Visit,
  asked: LogoutParameters,
): Promise<Reply<never> | Problem> {
  const request = await readLogoutRequest(dependencies, visit.organization, asked);
  if (request instanceof Problem) return request;
  const { session, csrf } = visit.visitor;
  const { client, target } = request;
  const isKnown = isTold(dependencies, visit, request);
  if (session === undefined || isKnown) return leave(dependencies, visit, request, isKnown);
  const hidden = {
    client_id: client?.id,
    post_logout_redirect_uri: asked.post_logout_redirect_uri,
    state: asked.state,
  };
  const clientName = client?.document.name;
  return questionPage(visit, {
    base: visit.base,
    csrf,
    email: session.user.document.email,
    clientName,
    hidden,
    target,
  });
}

/** Whether an existing client was told, by its ID token, of this session of this user, or of one that it succeeds. */
function isTold(
  { engine }: SignInDependencies,
  { organization, visitor }: Visit,
  { client, hint }: LogoutRequest,
): boolean {
  const { session } = visitor;
  const told = hint?.sessionId;
  if (session === undefined || client === undefined || told === undefined || hint?.userId !== session.user.id)
    return false;
  const { id } = session.entry;
  const knows = ({ document }: ReturnType<typeof participationsIn>[number]): boolean =>
    document.sessionId === told && document.clientId === client.id;
  return told === id || engine.read(() => participationsIn(organization.store, id, KNOWN_MAX).some(knows));
}

/**
 * Signs out and leads on. A client that registered itself can be anybody, and may send browsers here only to be sent
 * on: then the user decides, unless the client is known to have been told of the session (RFC 9700, 4.11.2).
 */
async function leave(
  dependencies: SignInDependencies,
  visit: Visit,
  { client, target }: LogoutRequest,
  isKnown = false,
): Promise<Reply<never>> {
  const { organization, visitor, facts, base } = visit;
  if (visitor.session !== undefined) await dependencies.sessions.end(organization, visitor.session.entry.id, facts);
  const mayLead = isKnown || client === undefined || !comesByItself(client.document);
  const reply = mayLead ? leaving(target ?? `${base}/signed-out`) : signedOutPage(visit, base, target);
  return withoutSession(dependencies.baseUrl, organization, reply);
}

function queryOf({ id_token_hint: hint, ...rest }: LogoutParameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.append(name, value);
  if (hint !== undefined && hint.length <= HINT_IN_QUERY_MAX) query.append('id_token_hint', hint);
  return query.size === 0 ? '' : `?${query}`;
}
