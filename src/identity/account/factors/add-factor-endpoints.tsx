import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { notFound } from '../../../kernel/transactions/index.ts';
import type { Method, Refusal } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import {
  EnrolForm,
  enrol,
  enrolFields,
  enrolmentFor,
  faultOfProblem,
  methodLabels,
  methodSchema,
  purposeOf,
  refusedWith,
  sendFields,
  webAuthnScripts,
} from '../../signin/index.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import type { AccountParts } from '../parts.ts';
import { addable, codesPage } from './factor-endpoints.tsx';
import { whoseOf } from './whose.ts';

const page = '/orgs/{orgId}/account/factors';
const path = '/orgs/{orgId}/account/factors/add';

/** Registers one more factor, or the first one: the forms are those of sign-in. */
export function addFactorEndpoints(parts: AccountParts): Endpoint[] {
  return [
    accountEndpoint(parts, {
      method: 'GET',
      path,
      summary: 'Adds a factor',
      isSensitive: true,
      query: z.object({ method: methodSchema }),
      handler: (visit) => addPage(parts, visit, { method: visit.query.method }),
    }),
    accountEndpoint(parts, {
      method: 'POST',
      path,
      page,
      summary: 'Proves a factor that is to be added',
      isSensitive: true,
      body: z.object(enrolFields),
      async handler(visit) {
        const { method, token } = visit.body;
        requireAddable(parts, visit, method);
        try {
          const outcome = await enrol(parts, whoseOf(visit), visit.body, visit.facts);
          if (!outcome.ok) return addPage(parts, visit, { method, token, fault: outcome });
          if (outcome.recoveryCodes !== undefined) return codesPage(visit, outcome.recoveryCodes);
          return redirect(303, `${visit.base}/account/factors?done=factor`);
        } catch (error) {
          return addPage(parts, visit, { method, token, fault: faultOfProblem(error) });
        }
      },
    }),
    accountEndpoint(parts, {
      method: 'POST',
      path: '/orgs/{orgId}/account/factors/add/send',
      page,
      summary: 'Sends a code to a number or address that is to be added',
      isSensitive: true,
      body: z.object(sendFields),
      async handler(visit) {
        const { method } = visit.body;
        requireAddable(parts, visit, method);
        const purpose = purposeOf(visit.body);
        if ('message' in purpose) return addPage(parts, visit, { method, fault: purpose });
        try {
          const sent = await parts.mfa.codes.send(whoseOf(visit), purpose, visit.facts);
          if (!sent.ok) return addPage(parts, visit, { method, fault: sent });
        } catch (error) {
          return addPage(parts, visit, { method, fault: faultOfProblem(error) });
        }
        return redirect(303, `${visit.base}/account/factors/add?method=${method}`);
      },
    }),
  ];
}

/** @throws ProblemError 404 */
function requireAddable(parts: AccountParts, visit: AccountVisit, method: Method): void {
  if (!parts.engine.read(() => addable(parts, visit)).includes(method)) throw notFound();
}

interface Wanted {
  readonly method: Method;
  readonly token?: string;
  readonly fault?: Refusal | FormFault;
}

async function addPage(
  parts: AccountParts,
  visit: AccountVisit,
  { method, token, fault }: Wanted,
): Promise<Reply<never>> {
  requireAddable(parts, visit, method);
  const { base, visitor } = visit;
  const field = method === 'webauthn' ? '' : 'code';
  const refused = refusedWith(fault, field, parts.clock.now());
  const scripts = method === 'webauthn' ? { scripts: webAuthnScripts } : {};
  return accountPage(
    visit,
    { room: '/account/factors', title: methodLabels[method], ...refused, ...scripts },
    <>
      <EnrolForm
        enrolment={await enrolmentFor(parts, whoseOf(visit), method, token)}
        action={`${base}/account/factors/add`}
        csrf={visitor.csrf}
        hidden={{ account: visit.user.id }}
        faults={refused.faults}
      />
      <p>
        <a href={`${base}/account/factors`}>Back</a>
      </p>
    </>,
  );
}
