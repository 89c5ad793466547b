import { z } from 'zod';
import { type Endpoint, type Reply, redirect, withHeaders } from '../../../http/index.ts';
import { graceEnd, type Method, offeredMethods, type Refusal } from '../../mfa/index.ts';
import { ButtonLink, type FormFault, renderPage } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { beginAt, type SignInPageDependencies } from '../pages-dependencies.ts';
import { skippedFactor } from '../steps/factor-step.ts';
import { enrolPage } from './enrol-page.tsx';
import { enrol, enrolFields, enrolmentFor, methodSchema, purposeOf, sendFields } from './enrolment.ts';
import { flowId, type OnTheWay, onTheWay, resumed } from './on-the-way.ts';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { faultOfProblem, refusedWith } from './refusals.ts';

type Visit = VisitorVisit<unknown, unknown>;

/** Registers the first factor of a user who must have one, or is asked to. */
export function enrolEndpoints(service: SignInPageDependencies): Endpoint[] {
  return [showEndpoint(service), sendEndpoint(service), addEndpoint(service), skipEndpoint(service)];
}

/** Whoever has a factor must prove it before another one is added. */
function mayEnrol({ demand, isDemanded }: OnTheWay): boolean {
  return demand === 'enrol' || demand === 'offer' || (demand === 'none' && isDemanded);
}

function showEndpoint(service: SignInPageDependencies): Endpoint {
  return visitorEndpoint(service.dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/signin/second-factor/enrol',
    summary: 'Register a second factor',
    query: z.object({ flow: flowId.optional(), method: methodSchema.optional() }),
    handler(visit) {
      if (visit.query.flow === undefined) return beginAt(service, visit, 'signin');
      const way = onTheWay(service, visit, visit.query.flow);
      return mayEnrol(way) ? show(service, visit, way, { method: visit.query.method }) : resumed(service, visit, way);
    },
  });
}

function sendEndpoint(service: SignInPageDependencies): Endpoint {
  const { dependencies } = service;
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/second-factor/enrol/send',
    summary: 'Send a code to a number or address that is to be registered',
    body: z.object({ flow: flowId, ...sendFields }),
    async handler(visit) {
      const { body, base, facts } = visit;
      const { method } = body;
      const way = onTheWay(service, visit, body.flow);
      if (!mayEnrol(way) || !methodsOf(service, way).includes(method)) return resumed(service, visit, way);
      const purpose = purposeOf(visit.t, body);
      if ('message' in purpose) return show(service, visit, way, { method, number: body.number, fault: purpose });
      try {
        const sent = await dependencies.mfa.codes.send(way.whose, purpose, facts);
        if (!sent.ok) return show(service, visit, way, { method, fault: sent });
      } catch (error) {
        return show(service, visit, way, { method, fault: faultOfProblem(visit.t, error) });
      }
      return redirect(303, `${base}/signin/second-factor/enrol?flow=${way.flow.id}&method=${method}`);
    },
  });
}

function addEndpoint(service: SignInPageDependencies): Endpoint {
  const { dependencies, signIn } = service;
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/second-factor/enrol',
    summary: 'Prove a second factor that is to be registered',
    body: z.object({ flow: flowId, ...enrolFields }),
    async handler(visit) {
      const { body, organization, visitor, facts } = visit;
      const { method, token } = body;
      const way = onTheWay(service, visit, body.flow);
      if (!mayEnrol(way) || !methodsOf(service, way).includes(method)) return resumed(service, visit, way);
      try {
        const outcome = await enrol(dependencies, way.whose, body, facts);
        if (!outcome.ok) return show(service, visit, way, { method, token, fault: outcome });
        const reply = await signIn.secondFactor(organization, visitor, way.flow, outcome, facts);
        return outcome.recoveryCodes === undefined ? reply : codesPage(visit, way, outcome.recoveryCodes, reply);
      } catch (error) {
        return show(service, visit, way, { method, token, fault: faultOfProblem(visit.t, error) });
      }
    },
  });
}

function skipEndpoint(service: SignInPageDependencies): Endpoint {
  const { dependencies, signIn } = service;
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/second-factor/skip',
    summary: 'Put the registration of a second factor off',
    body: z.object({ flow: flowId }),
    handler(visit) {
      const { body, organization, visitor, facts } = visit;
      const way = onTheWay(service, visit, body.flow);
      return way.demand === 'offer'
        ? signIn.skipped(organization, visitor, way.flow, skippedFactor, facts)
        : resumed(service, visit, way);
    },
  });
}

interface Wanted {
  readonly method: Method | undefined;
  readonly token?: string;
  /** As it was typed. */
  readonly number?: string;
  readonly fault?: Refusal | FormFault;
}

async function show(
  service: SignInPageDependencies,
  visit: Visit,
  way: OnTheWay,
  { method, token, number, fault }: Wanted,
): Promise<Reply<never>> {
  const { dependencies } = service;
  const methods = methodsOf(service, way);
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
            ...(await enrolmentFor(dependencies, way.whose, chosen, token)),
            ...(number === undefined ? {} : { number }),
          },
    graceEnd: way.demand === 'offer' ? dependencies.engine.read(() => graceEnd(store, way.user)) : undefined,
    ...refusedWith(visit.t, fault, field, dependencies.clock.now()),
  });
}

/** The codes, with the cookies of the answer that would have led on, and a link to where it would have led. */
function codesPage(visit: Visit, { flow: entry, user }: OnTheWay, codes: readonly string[], reply: Reply<never>) {
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

function methodsOf({ dependencies }: SignInPageDependencies, { whose }: OnTheWay): Method[] {
  return dependencies.engine.read(() => offeredMethods(dependencies.mfa.dependencies, whose.organization.store));
}
