import { z } from 'zod';
import { type Endpoint, type Problem, ProblemError, problem } from '../../../http/index.ts';
import { factsOf, type RequestFacts } from '../../../kernel/audit/index.ts';
import { said, textsFor } from '../../../texts/index.ts';
import { issuerPath, ledOn, type PageSpec, type PageVisit, pageEndpoint, siteOf } from '../../pages/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { signInProblems } from '../problems.ts';
import { type Visitor, visitorOf } from './visitor.ts';

/** What the handler of a page gets that knows its visitor. */
export interface VisitorVisit<Q = unknown, B = unknown> extends PageVisit<Q, B> {
  readonly visitor: Visitor;
  /** For audit entries: a copy, good after the answer. */
  readonly facts: RequestFacts;
  /** `{issuer}` as a path: where links and forms of the page begin. */
  readonly base: string;
}

export interface VisitorSpec<Q, B> extends Omit<PageSpec<Q, B>, 'handler'> {
  /** `none` where others post to it, as clients do to the authorization endpoint. */
  readonly csrf?: 'checked' | 'none';
  handler(visit: VisitorVisit<Q, B>): ReturnType<PageSpec<Q, B>['handler']>;
}

interface FormPage<Q, B> {
  readonly show: Pick<VisitorSpec<Q, undefined>, 'summary' | 'query' | 'handler'>;
  readonly send: Pick<VisitorSpec<undefined, B>, 'summary' | 'body' | 'handler'>;
}

/** A page, and what the form on it is sent to: both at `{issuer}` and this path. */
export function formPage<Q = undefined, B = undefined>(
  dependencies: SignInDependencies,
  path: `/${string}`,
  { show, send }: FormPage<Q, B>,
): Endpoint[] {
  const at = `/orgs/{orgId}${path}` as const;
  return [
    visitorEndpoint<Q>(dependencies, { ...show, method: 'GET', path: at }),
    visitorEndpoint<undefined, B>(dependencies, { ...send, method: 'POST', path: at }),
  ];
}

const TOKEN_MAX = 128;

/** A page endpoint whose visitor is known by cookies, and whose forms only this visitor's own pages can send. */
export function visitorEndpoint<Q = undefined, B = undefined>(
  dependencies: SignInDependencies,
  { csrf = 'checked', body: schema, handler, ...spec }: VisitorSpec<Q, B>,
): Endpoint {
  const isChecked = spec.method === 'POST' && csrf !== 'none';
  const site = siteOf(dependencies.baseUrl);
  return pageEndpoint<Q, Sent<B>>(dependencies, {
    ...spec,
    ...(spec.method === 'GET' ? {} : { body: sentSchema(schema) }),
    async handler(visit) {
      const { call, organization, params } = visit;
      const visitor = visitorOf(dependencies, call, organization);
      if (isChecked) {
        const action = `${site.path}${filled(spec.path, params)}`;
        const fault = foreignForm(call, site.origin, visitor, action, visit.body.csrf);
        if (fault !== undefined) return fault;
      }
      const base = issuerPath(site, organization.slug);
      const setting = visitor.session?.user.document.locale;
      const t = setting === undefined ? visit.t : textsFor(call.header('accept-language'), setting);
      const facts = factsOf(call);
      // only a POST has a body, and there it is what the schema has made
      const body = spec.method === 'GET' ? (undefined as B) : visit.body.own;
      const own = { ...visit, call: call as never, body, visitor, facts, base, t };
      const reply = await handler(own);
      if ('kind' in reply) throw new ProblemError(reply);
      return visitor.dressed(isChecked ? ledOn(own, reply) : reply);
    },
  });
}

interface Sent<B> {
  readonly csrf: string;
  readonly own: B;
}

/** A form's own fields, and beside them its token. */
function sentSchema<B>(schema: z.ZodType<B> | undefined): z.ZodType<Sent<B>> {
  const envelope = z.looseObject({ csrf: z.string().max(TOKEN_MAX).default('') });
  return envelope.transform(({ csrf, ...fields }, context) => {
    if (schema === undefined) return { csrf, own: undefined as B };
    const result = schema.safeParse(fields);
    if (result.success) return { csrf, own: result.data };
    for (const { message, path } of result.error.issues) context.addIssue({ code: 'custom', message, path: [...path] });
    return z.NEVER;
  });
}

/**
 * Whether a form was made for this browser and this path. What browsers say of where it comes from is looked at first;
 * old ones, and other programs, say nothing.
 */
function foreignForm(
  call: { header(name: string): string },
  origin: string,
  visitor: Visitor,
  action: string,
  token: string,
): Problem | undefined {
  const site = call.header('sec-fetch-site');
  const from = call.header('origin');
  // `none` is somebody at the browser itself, who sends a form once more
  const isForeign = site === '' ? from !== '' && from !== origin : site !== 'same-origin' && site !== 'none';
  if (!isForeign && visitor.isOwnForm(action, token)) return undefined;
  return problem(signInProblems.form_over, said('problems.formOverText'));
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}
