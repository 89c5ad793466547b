import type { z } from 'zod';
import type { Engine } from '#engine';
import {
  type Answer,
  type Call,
  type Endpoint,
  endpointFor,
  type Problem,
  ProblemError,
  problem,
  problemFromError,
  type RateClass,
  type Reply,
} from '../../../http/index.ts';
import type { OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import { textsFor } from '../../../texts/index.ts';
import type { PageContext } from '../layout/render-page.tsx';
import { type Site, siteOf } from '../site.ts';
import { readBrand } from '../theme/brand.ts';
import { plainProblemPage, problemPage } from './problem-page.tsx';

export interface PageDependencies {
  readonly engine: Engine;
  readonly directory: OrganizationDirectory;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

type Params = Readonly<Record<string, string>>;
type PageAnswer = Answer<Record<number, { description: string }>>;

/** What the handler of a page gets. */
export interface PageVisit<Q, B> extends PageContext {
  readonly call: Call<Params, Q, B, undefined>;
  readonly query: Q;
  readonly body: B;
  readonly params: Params;
}

export interface PageSpec<Q, B> {
  readonly method: 'GET' | 'POST';
  /** Below an organization: `/orgs/{orgId}/...`. */
  readonly path: `/orgs/{orgId}/${string}`;
  readonly summary: string;
  readonly query?: z.ZodType<Q>;
  /** Of a form. */
  readonly body?: z.ZodType<B>;
  /** Most bytes of the body, where others than our own forms post to it. */
  readonly bodyMax?: number;
  /** Most fields of the form, where it has long lists to choose from. */
  readonly fieldsMax?: number;
  /** How often it is asked: as other pages are where omitted. */
  readonly rate?: RateClass;
  handler(visit: PageVisit<Q, B>): PageAnswer | Promise<PageAnswer>;
}

/** No form has more. */
const FORM_BYTES_MAX = 64 * 1024;

const endpoint = endpointFor<unknown>();
const anyStatus = Object.fromEntries(
  [200, 302, 303, 400, 422, 429, 503].map((status) => [status, { description: 'A page' }]),
);

/** A page of an organization, or what its forms are sent to. Whatever goes wrong is a page as well. */
export function pageEndpoint<Q = undefined, B = undefined>(
  dependencies: PageDependencies,
  { body, bodyMax = FORM_BYTES_MAX, handler, ...spec }: PageSpec<Q, B>,
): Endpoint {
  const site = siteOf(dependencies.baseUrl);
  return endpoint({
    ...spec,
    path: spec.path as string,
    tags: ['Pages'],
    access: 'public',
    ...(body === undefined ? {} : { body, bodyForm: 'form' as const, bodyMax }),
    responses: anyStatus,
    errors: ['not_found'],
    renderer: plainProblemPage(site),
    handler: (call) => answer(dependencies, site, handler, call as Call<Params, Q, B, undefined>),
  });
}

async function answer<Q, B>(
  { engine, directory }: PageDependencies,
  site: Site,
  handler: PageSpec<Q, B>['handler'],
  call: Call<Params, Q, B, undefined>,
): Promise<Reply<never> | Problem> {
  const { params, query, body, requestId } = call;
  const t = textsFor(call.header('accept-language'));
  const context = engine.read((): PageContext | undefined => {
    const organization = directory.find(params.orgId ?? '');
    return organization && { site, organization, brand: readBrand(engine, organization), t };
  });
  if (context === undefined) return problem('not_found');
  const result = await settled(() => handler({ ...context, call, params, query, body }));
  return 'kind' in result ? problemPage(context, result, requestId) : (result as Reply<never>);
}

/** What is thrown for a reader becomes a page; what is a fault of the service goes on to the log. */
async function settled(run: () => PageAnswer | Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await run();
  } catch (error) {
    const known = error instanceof ProblemError ? error.problem : problemFromError(error);
    if (known === undefined || known.kind.status >= 500) throw error;
    return known;
  }
}
