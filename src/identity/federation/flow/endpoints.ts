import { z } from 'zod';
import { bytes, type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { notFound } from '../../../kernel/transactions/index.ts';
import { issuerPath, pageEndpoint } from '../../pages/index.ts';
import { findProvider } from '../../providers/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../../signin/index.ts';
import type { FederationDependencies } from '../dependencies.ts';
import { arriveToLink, arriveToSignIn } from './arrive.ts';
import {
  type Callback,
  keptFromForm,
  type Proved,
  provedByForm,
  provedByQuery,
  type StoppedCallback,
} from './callback.ts';
import { openProvider } from './open-provider.ts';
import { type Stopped, stopPage, toBeginning, toSignIn } from './pages.tsx';
import { start } from './start.ts';

const callbackPath = '/orgs/{orgId}/api/v1/oauth/social/{provider}/callback';

/** Signing in through providers: where a browser leaves, and where it comes back. */
export function federationEndpoints(dependencies: FederationDependencies): Endpoint[] {
  return [
    startEndpoint(dependencies),
    queryEndpoint(dependencies),
    formEndpoint(dependencies),
    metadataEndpoint(dependencies),
  ];
}

function startEndpoint(dependencies: FederationDependencies): Endpoint {
  return visitorEndpoint(dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/signin/social/{provider}',
    summary: 'Go to a provider to sign in there',
    query: z.object({ flow: z.string().max(64).default('') }),
    async handler(visit) {
      const { organization, visitor, facts, query, params } = visit;
      const flow = dependencies.signIn.flow(organization, visitor, query.flow);
      if (flow === undefined) return stopPage(visit, { stop: 'over', name: '', back: toBeginning(visit) });
      const started = await start(dependencies, {
        organization,
        browser: visitor.browser,
        identifier: params.provider ?? '',
        aim: { kind: 'sign_in', flowId: flow.id },
        wish: { loginHint: flow.document.loginHint, isFresh: flow.document.fresh },
        facts,
      });
      if ('url' in started) return redirect(303, started.url);
      return stopPage(visit, { ...started, back: toSignIn(visit, flow.id) });
    },
  });
}

const text = (max: number) => z.string().max(max).optional();

/** What providers send of what means something; whatever else they send is not looked at. */
const answer = z.object({
  state: text(128),
  code: text(8192),
  iss: text(2048),
  error: text(256),
  error_description: text(2048),
  /** Of ours: who has come in a form, and now in the browser. */
  arrival: text(128),
});

const form = z.object({
  ...answer.shape,
  RelayState: text(128),
  SAMLResponse: text(128 * 1024),
  user: text(4096),
});

type AnyVisit = VisitorVisit<z.output<typeof answer>, undefined>;

function queryEndpoint(dependencies: FederationDependencies): Endpoint {
  return visitorEndpoint(dependencies, {
    method: 'GET',
    path: callbackPath,
    summary: 'Where a provider sends people back to',
    query: answer,
    async handler(visit) {
      const { visitor, facts, query, params, organization } = visit;
      const { arrival, ...parameters } = query;
      const callback = callbackOf({ organization, identifier: params.provider ?? '', facts, parameters });
      const result =
        arrival === undefined
          ? await provedByQuery(dependencies, callback, visitor.browser)
          : await provedByForm(dependencies, callback, arrival, visitor.browser);
      return 'stop' in result ? stopped(visit, result) : arrive(dependencies, visit, result);
    },
  });
}

/** No page of ours sends this form, and the cookies of the browser are not with it: it is told to come again. */
function formEndpoint(dependencies: FederationDependencies): Endpoint {
  return pageEndpoint(dependencies, {
    method: 'POST',
    path: callbackPath,
    summary: 'Where a provider sends people back to, with a form',
    body: form,
    bodyMax: 192 * 1024,
    async handler(visit) {
      const { organization, params, body, call } = visit;
      const { arrival: _, ...parameters } = body;
      const identifier = params.provider ?? '';
      const callback = callbackOf({ organization, identifier, facts: factsOf(call), parameters });
      const result = await keptFromForm(dependencies, callback);
      if ('stop' in result) return stopped(visit, result);
      const path = `${issuerPath(visit.site, organization.slug)}/api/v1/oauth/social/${encodeURIComponent(identifier)}`;
      return redirect(303, `${path}/callback?arrival=${result.secret}`);
    },
  });
}

async function arrive(dependencies: FederationDependencies, visit: AnyVisit, proved: Proved): Promise<Reply<never>> {
  const { organization, visitor, facts } = visit;
  const { provider, upstream, identity, aim } = proved;
  const arriving = { organization, visitor, facts, provider, method: upstream.method, identity };
  const { name } = provider.document;
  if (aim.kind === 'link') {
    const stop = await arriveToLink(dependencies, arriving, aim);
    return stop === undefined ? redirect(303, aim.returnTo) : stopped(visit, { stop, name, aim });
  }
  const flow = dependencies.signIn.flow(organization, visitor, aim.flowId);
  if (flow === undefined) return stopped(visit, { stop: 'over', name });
  const result = await arriveToSignIn(dependencies, arriving, flow);
  return typeof result === 'string' ? stopped(visit, { stop: result, name, aim }) : result;
}

function stopped(context: Parameters<typeof stopPage>[0], { aim, ...rest }: StoppedCallback): Reply<never> {
  const back: Stopped['back'] =
    aim === undefined
      ? toBeginning(context)
      : aim.kind === 'link'
        ? { label: context.t('federation.toAccount'), href: aim.returnTo }
        : toSignIn(context, aim.flowId);
  return stopPage(context, { ...rest, back });
}

type Given = Readonly<Record<string, string | undefined>>;

function callbackOf({ parameters, ...rest }: Omit<Callback, 'parameters'> & { readonly parameters: Given }): Callback {
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined);
  return { ...rest, parameters: Object.fromEntries(given) };
}

/** What the other side is told of us, where it reads that from an address. */
function metadataEndpoint(dependencies: FederationDependencies): Endpoint {
  return pageEndpoint(dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/api/v1/oauth/social/{provider}/metadata',
    summary: 'Get the SAML metadata of the service provider',
    async handler({ organization, params }) {
      const entry = dependencies.engine.read(() => findProvider(organization.store, params.provider ?? ''));
      if (entry === undefined) throw notFound();
      const { upstream, provider } = openProvider(dependencies, organization, entry);
      if (upstream.metadata === undefined) throw notFound();
      return bytes(200, 'application/samlmetadata+xml', await upstream.metadata(provider));
    },
  });
}
