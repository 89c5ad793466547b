import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { type Proven, RESPONSE_MAX, type Refusal } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { beginAt, type SignInPageDependencies } from '../pages-dependencies.ts';
import { challengePage } from './challenge-page.tsx';
import { type Choice, choicesOf } from './choices.ts';
import { flowId, type OnTheWay, onTheWay, resumed } from './on-the-way.ts';
import { faultOfProblem, refusedWith } from './refusals.ts';

type Visit = VisitorVisit<unknown, unknown>;

const choice = z.string().max(64);

/** Asks for one of the factors that a user has. */
export function challengeEndpoints(service: SignInPageDependencies): Endpoint[] {
  return [showEndpoint(service), sendEndpoint(service), answerEndpoint(service)];
}

function showEndpoint(service: SignInPageDependencies): Endpoint {
  return visitorEndpoint(service.dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/signin/second-factor',
    summary: 'Ask for a second factor',
    query: z.object({ flow: flowId.optional(), with: choice.optional() }),
    async handler(visit) {
      if (visit.query.flow === undefined) return beginAt(service, visit, 'signin');
      const way = onTheWay(service, visit, visit.query.flow);
      if (way.demand !== 'challenge') return resumed(service, visit, way);
      return show(service, visit, way, visit.query.with);
    },
  });
}

function sendEndpoint(service: SignInPageDependencies): Endpoint {
  const { dependencies } = service;
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/second-factor/send',
    summary: 'Send a code',
    body: z.object({ flow: flowId, with: choice }),
    async handler(visit) {
      const { body, base, facts } = visit;
      const way = onTheWay(service, visit, body.flow);
      const chosen = choicesOf(dependencies, way).find(({ id }) => id === body.with);
      const isSent = chosen?.type === 'sms' || chosen?.type === 'email';
      if (way.demand !== 'challenge' || !isSent) return resumed(service, visit, way);
      try {
        const sent = await dependencies.mfa.codes.send(way.whose, { prove: chosen.id }, facts);
        if (!sent.ok) return show(service, visit, way, chosen.id, sent);
      } catch (error) {
        return show(service, visit, way, chosen.id, faultOfProblem(visit.t, error));
      }
      return redirect(303, `${base}/signin/second-factor?flow=${way.flow.id}&with=${chosen.id}`);
    },
  });
}

function answerEndpoint(service: SignInPageDependencies): Endpoint {
  const { dependencies, signIn } = service;
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: '/orgs/{orgId}/signin/second-factor',
    summary: 'Prove a second factor',
    body: z.object({
      flow: flowId,
      with: choice,
      code: z.string().max(100).default(''),
      answer: z.string().max(RESPONSE_MAX).default(''),
    }),
    async handler(visit) {
      const { body, organization, visitor, facts } = visit;
      const way = onTheWay(service, visit, body.flow);
      const chosen = choicesOf(dependencies, way).find(({ id }) => id === body.with);
      if (way.demand !== 'challenge' || chosen === undefined) return resumed(service, visit, way);
      const outcome = await proofOf(service, way, chosen, body, visit);
      if (!outcome.ok) return show(service, visit, way, chosen.id, outcome);
      return signIn.secondFactor(organization, visitor, way.flow, outcome, facts);
    },
  });
}

function proofOf(
  { dependencies: { mfa } }: SignInPageDependencies,
  { whose }: OnTheWay,
  { id, type }: Choice,
  { code, answer }: { readonly code: string; readonly answer: string },
  { facts }: Pick<Visit, 'facts'>,
): Promise<Proven | Refusal> {
  switch (type) {
    case 'totp':
      return mfa.totp.verify(whose, code, facts);
    case 'recovery':
      return mfa.recovery.verify(whose, code, facts);
    case 'webauthn':
      return mfa.assertions.verify(whose, answer, facts);
    default:
      return mfa.codes.verify(whose, id, code, facts);
  }
}

/** @param fault of the form that was sent */
function show(
  service: SignInPageDependencies,
  visit: Visit,
  way: OnTheWay,
  wanted: string | undefined,
  fault?: Refusal | FormFault,
): Reply<never> | Promise<Reply<never>> {
  const { engine, mfa, clock } = service.dependencies;
  const choices = choicesOf(service.dependencies, way);
  const chosen = choices.find(({ id }) => id === wanted) ?? choices[0];
  if (chosen === undefined) return resumed(service, visit, way);
  const isSent = chosen.type === 'sms' || chosen.type === 'email';
  return challengePage(visit, {
    flow: way.flow,
    choice: chosen,
    others: choices.filter(({ id }) => id !== chosen.id),
    pending: isSent ? engine.read(() => mfa.codes.pending(way.whose, { prove: chosen.id })) : undefined,
    options: chosen.type === 'webauthn' ? mfa.assertions.options(way.whose) : undefined,
    ...refusedWith(visit.t, fault, fieldOf(chosen), clock.now()),
  });
}

function fieldOf({ type }: Choice): string {
  return type === 'webauthn' ? '' : 'code';
}
