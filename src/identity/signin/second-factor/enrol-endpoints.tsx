import { z } from 'zod';
import { type Endpoint, type Reply, redirect, withHeaders } from '../../../http/index.ts';
import { graceEnd, type Method, offeredMethods, type Refusal } from '../../mfa/index.ts';
import { ButtonLink, type FormFault, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { beginAt, flowId, flowQueryOrNone, type SignInPageDependencies } from '../pages-dependencies.ts';
import { enrolPage } from './enrol-page.tsx';
import { enrol, enrolFields, enrolmentFor, methodSchema, purposeOf, sendFields } from './enrolment.ts';
import { type OnTheWay, onTheWay, resumed } from './on-the-way.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { faultOfProblem, refusedWith } from './refusals.ts';

const path = '/signin/second-factor/enrol';

/** Registers the first factor of a user who must have one, or is asked to. */
export function enrolEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { mfa, signIn } = pages;
  return [
    ...formPage(pages, path, {
      show: {
        summary: 'Register a second factor',
        query: flowQueryOrNone.extend({ method: methodSchema.optional() }),
        handler(visit) {
          if (visit.query.flow === undefined) return beginAt(pages, visit, 'signin');
          const way = onTheWay(pages, visit, visit.query.flow);
          return mayEnrol(way) ? show(pages, visit, way, { method: visit.query.method }) : resumed(pages, visit, way);
        },
      },
      send: {
        summary: 'Prove a second factor that is to be registered',
        body: z.object({ flow: flowId, ...enrolFields }),
        async handler(visit) {
          const { body, facts } = visit;
          const { method, token } = body;
          const way = onTheWay(pages, visit, body.flow);
          if (!mayEnrol(way) || !methodsOf(pages, way).includes(method)) return resumed(pages, visit, way);
          try {
            const outcome = await enrol(pages, way.whose, body, facts);
            if (!outcome.ok) return show(pages, visit, way, { method, token, fault: outcome });
            const reply = await signIn.secondFactor(visit, way.flow, outcome.amr);
            return outcome.recoveryCodes === undefined ? reply : codesPage(visit, way, outcome.recoveryCodes, reply);
          } catch (error) {
            return show(pages, visit, way, { method, token, fault: faultOfProblem(visit.t, error) });
          }
        },
      },
    }),
    visitorEndpoint(pages, {
      method: 'POST',
      path: `/orgs/{orgId}${path}/send`,
      summary: 'Send a code to a number or address that is to be registered',
      body: z.object({ flow: flowId, ...sendFields }),
      async handler(visit) {
        const { body, base, facts } = visit;
        const { method } = body;
        const way = onTheWay(pages, visit, body.flow);
        if (!mayEnrol(way) || !methodsOf(pages, way).includes(method)) return resumed(pages, visit, way);
        const purpose = purposeOf(visit.t, body);
        if ('message' in purpose) return show(pages, visit, way, { method, number: body.number, fault: purpose });
        try {
          const sent = await mfa.codes.send(way.whose, purpose, facts);
          if (!sent.ok) return show(pages, visit, way, { method, fault: sent });
        } catch (error) {
          return show(pages, visit, way, { method, fault: faultOfProblem(visit.t, error) });
        }
        return redirect(303, `${base}${path}?flow=${way.flow.id}&method=${method}`);
      },
    }),
    visitorEndpoint(pages, {
      method: 'POST',
      path: '/orgs/{orgId}/signin/second-factor/skip',
      summary: 'Put the registration of a second factor off',
      body: z.object({ flow: flowId }),
      handler(visit) {
        const way = onTheWay(pages, visit, visit.body.flow);
        return way.demand === 'offer' ? signIn.skipped(visit, way.flow, 'factor') : resumed(pages, visit, way);
      },
    }),
  ];
}

/** Whoever has a factor must prove it before another one is added. */
function mayEnrol({ demand, isDemanded }: OnTheWay): boolean {
  return demand === 'enrol' || demand === 'offer' || (demand === 'none' && isDemanded);
}

interface Wanted {
  readonly method: Method | undefined;
  readonly token?: string;
  /** As it was typed. */
  readonly number?: string;
  readonly fault?: Refusal | FormFault;
}

async function show(
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  way: OnTheWay,
  { method, token, number, fault }: Wanted,
): Promise<Reply<never>> {
  const methods = methodsOf(pages, way);
  const only = methods.length === 1 ? methods[0] : undefined;
  const chosen = method !== undefined && methods.includes(method) ? method : only;
  const field = chosen === 'webauthn' ? '' : 'code';
  const { store } = visit.organization;
  return enrolPage(visit, {
    flow: way.flow,
    methods,
    chosen:
      chosen === undefined
        ? undefined
        : {
            ...(await enrolmentFor(pages, way.whose, chosen, token)),
            ...(number === undefined ? {} : { number }),
          },
    graceEnd: way.demand === 'offer' ? pages.engine.read(() => graceEnd(store, way.user)) : undefined,
    ...refusedWith(visit.t, fault, field, pages.clock.now()),
  });
}

/** The codes, with the cookies of the answer that would have led on, and a link to where it would have led. */
function codesPage(
  visit: VisitorVisit,
  { flow: entry, user }: OnTheWay,
  codes: readonly string[],
  reply: Reply<never>,
) {
  const headers = reply.more ?? [];
  const values = (wanted: string): string[] =>
    headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === wanted);
  const [location = ''] = values('location');
  const shown = renderPage(
    visit,
    { title: visit.t('secondFactor.recoveryTitle'), leadsTo: [entry.document.leadsTo] },
    <>
      <h1>{visit.t('secondFactor.recoveryHeading')}</h1>
      <RecoveryCodeList codes={codes} t={visit.t} organization={visit.brand.name} account={user.document.email} />
      <ButtonLink href={location} kind="main">
        {visit.t('secondFactor.recoverySaved')}
      </ButtonLink>
    </>,
  );
  return values('set-cookie').reduce((page, cookie) => withHeaders(page, { 'set-cookie': cookie }), shown);
}

function methodsOf(pages: SignInPageDependencies, { whose }: OnTheWay): Method[] {
  return pages.engine.read(() => offeredMethods(pages.mfa.dependencies, whose.organization.store));
}
