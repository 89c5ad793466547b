import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { type Proven, RESPONSE_MAX, type Refusal } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { formPage, type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import { beginAt, flowId, flowQueryOrNone, type SignInPageDependencies } from '../pages-dependencies.ts';
import { challengePage } from './challenge-page.tsx';
import { type Choice, choicesOf } from './choices.ts';
import { type OnTheWay, onTheWay, resumed } from './on-the-way.ts';
import { faultOfProblem, refusedWith } from './refusals.ts';

const choice = z.string().max(64);

const path = '/signin/second-factor';

/** Asks for one of the factors that a user has. */
export function challengeEndpoints(pages: SignInPageDependencies): Endpoint[] {
  const { mfa, signIn } = pages;
  return [
    ...formPage(pages, path, {
      show: {
        summary: 'Ask for a second factor',
        query: flowQueryOrNone.extend({ with: choice.optional() }),
        handler(visit) {
          if (visit.query.flow === undefined) return beginAt(pages, visit, 'signin');
          const way = onTheWay(pages, visit, visit.query.flow);
          if (way.demand !== 'challenge') return resumed(pages, visit, way);
          return show(pages, visit, way, visit.query.with);
        },
      },
      send: {
        summary: 'Prove a second factor',
        body: z.object({
          flow: flowId,
          with: choice,
          code: z.string().max(100).default(''),
          answer: z.string().max(RESPONSE_MAX).default(''),
        }),
        async handler(visit) {
          const { body } = visit;
          const way = onTheWay(pages, visit, body.flow);
          const chosen = choicesOf(pages, way).find(({ id }) => id === body.with);
          if (way.demand !== 'challenge' || chosen === undefined) return resumed(pages, visit, way);
          const outcome = await proofOf(pages, way, chosen, body, visit);
          if (!outcome.ok) return show(pages, visit, way, chosen.id, outcome);
          return signIn.secondFactor(visit, way.flow, outcome.amr);
        },
      },
    }),
    visitorEndpoint(pages, {
      method: 'POST',
      path: `/orgs/{orgId}${path}/send`,
      summary: 'Send a code',
      body: z.object({ flow: flowId, with: choice }),
      async handler(visit) {
        const { body, base, facts } = visit;
        const way = onTheWay(pages, visit, body.flow);
        const chosen = choicesOf(pages, way).find(({ id }) => id === body.with);
        const isSent = chosen?.type === 'sms' || chosen?.type === 'email';
        if (way.demand !== 'challenge' || !isSent) return resumed(pages, visit, way);
        try {
          const sent = await mfa.codes.send(way.whose, { prove: chosen.id }, facts);
          if (!sent.ok) return show(pages, visit, way, chosen.id, sent);
        } catch (error) {
          return show(pages, visit, way, chosen.id, faultOfProblem(visit.t, error));
        }
        return redirect(303, `${base}${path}?flow=${way.flow.id}&with=${chosen.id}`);
      },
    }),
  ];
}

function proofOf(
  { mfa }: SignInPageDependencies,
  { whose }: OnTheWay,
  { id, type }: Choice,
  { code, answer }: { readonly code: string; readonly answer: string },
  { facts }: Pick<VisitorVisit, 'facts'>,
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
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  way: OnTheWay,
  wanted: string | undefined,
  fault?: Refusal | FormFault,
): Reply<never> | Promise<Reply<never>> {
  const { engine, mfa, clock } = pages;
  const choices = choicesOf(pages, way);
  const chosen = choices.find(({ id }) => id === wanted) ?? choices[0];
  if (chosen === undefined) return resumed(pages, visit, way);
  const isSent = chosen.type === 'sms' || chosen.type === 'email';
  return challengePage(visit, {
    flow: way.flow,
    choice: chosen,
    others: choices.filter(({ id }) => id !== chosen.id),
    pending: isSent ? engine.read(() => mfa.codes.pending(way.whose, { prove: chosen.id })) : undefined,
    options: chosen.type === 'webauthn' ? mfa.assertions.options(way.whose) : undefined,
    ...refusedWith(visit.t, fault, chosen.type === 'webauthn' ? '' : 'code', clock.now()),
  });
}
