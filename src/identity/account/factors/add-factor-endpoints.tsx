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
  methodSchema,
  purposeOf,
  refusedWith,
  sendFields,
  webAuthnScripts,
} from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { addable } from './addable.ts';
import { codesPage } from './factor-endpoints.tsx';
import { methodNames } from './factor-panels.tsx';
import { whoseOf } from './whose.ts';

const page = '/orgs/{orgId}/account/factors';
const path = '/orgs/{orgId}/account/factors/add';

/** Registers one more factor, or the first one: the forms are those of sign-in. */
export function addFactorEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Adds a factor',
      isSensitive: true,
      query: z.object({ method: methodSchema }),
      handler: (visit) => addPage(dependencies, visit, { method: visit.query.method }),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      page,
      summary: 'Proves a factor that is to be added',
      isSensitive: true,
      body: z.object(enrolFields),
      async handler(visit) {
        const { method, token } = visit.body;
        requireAddable(dependencies, visit, method);
        try {
          const outcome = await enrol(dependencies, whoseOf(visit), visit.body, visit.facts);
          if (!outcome.ok) return addPage(dependencies, visit, { method, token, fault: outcome });
          if (outcome.recoveryCodes !== undefined) return codesPage(visit, outcome.recoveryCodes);
          return redirect(303, `${visit.base}/account/factors?done=factor`);
        } catch (error) {
          return addPage(dependencies, visit, { method, token, fault: faultOfProblem(visit.t, error) });
        }
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/factors/add/send',
      page,
      summary: 'Sends a code to a number or address that is to be added',
      isSensitive: true,
      body: z.object(sendFields),
      async handler(visit) {
        const { method } = visit.body;
        requireAddable(dependencies, visit, method);
        const purpose = purposeOf(visit.t, visit.body);
        if ('message' in purpose) return addPage(dependencies, visit, { method, fault: purpose });
        try {
          const sent = await dependencies.mfa.codes.send(whoseOf(visit), purpose, visit.facts);
          if (!sent.ok) return addPage(dependencies, visit, { method, fault: sent });
        } catch (error) {
          return addPage(dependencies, visit, { method, fault: faultOfProblem(visit.t, error) });
        }
        return redirect(303, `${visit.base}/account/factors/add?method=${method}`);
      },
    }),
  ];
}

/** @throws ProblemError 404 */
function requireAddable(dependencies: AccountDependencies, visit: AccountVisit, method: Method): void {
  if (!dependencies.engine.read(() => addable(dependencies, visit)).includes(method)) throw notFound();
}

interface Wanted {
  readonly method: Method;
  readonly token?: string;
  readonly fault?: Refusal | FormFault;
}

async function addPage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  { method, token, fault }: Wanted,
): Promise<Reply<never>> {
  requireAddable(dependencies, visit, method);
  const { base, visitor } = visit;
  const field = method === 'webauthn' ? '' : 'code';
  const refused = refusedWith(visit.t, fault, field, dependencies.clock.now());
  const scripts = method === 'webauthn' ? { scripts: webAuthnScripts } : {};
  return accountPage(
    visit,
    {
      room: 'security',
      title: visit.t(methodNames[method]),
      back: { path: '/account/security', label: visit.t('account.security') },
      ...refused,
      ...scripts,
    },
    <div class="panel alone">
      <EnrolForm
        t={visit.t}
        enrolment={await enrolmentFor(dependencies, whoseOf(visit), method, token)}
        action={`${base}/account/factors/add`}
        csrf={visitor.csrf}
        hidden={{ account: visit.user.id }}
        faults={refused.faults}
      />
    </div>,
  );
}
