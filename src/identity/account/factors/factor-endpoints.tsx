import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { listFactors, type Method, offeredMethods } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { RecoveryCodeList } from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { FactorList } from './factor-list.tsx';
import { whoseOf } from './whose.ts';

const path = '/orgs/{orgId}/account/factors';
const factor = z.string().max(128).default('');

/** The second factors and passkeys of a user. */
export function factorEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Second factors and passkeys',
      isSensitive: true,
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => factorsPage(dependencies, visit, { done: visit.query.done }),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/factors/rename',
      page: path,
      summary: 'Names a factor',
      isSensitive: true,
      body: z.object({ factor, name: z.string().max(1000).default('') }),
      async handler(visit) {
        const { body, facts, base } = visit;
        await dependencies.mfa.own.rename(whoseOf(visit), body.factor, body.name, facts);
        return redirect(303, `${base}/account/factors?done=factor-renamed`);
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/factors/remove',
      page: path,
      summary: 'Removes a factor',
      isSensitive: true,
      body: z.object({ factor }),
      async handler(visit) {
        try {
          await dependencies.mfa.own.remove(whoseOf(visit), visit.body.factor, visit.facts);
          return redirect(303, `${visit.base}/account/factors?done=factor-removed`);
        } catch (error) {
          return factorsPage(dependencies, visit, { faults: faultsOf(error, []) });
        }
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/factors/recovery-codes',
      page: path,
      summary: 'Makes new recovery codes',
      isSensitive: true,
      async handler(visit) {
        try {
          return codesPage(visit, await dependencies.mfa.recovery.regenerate(whoseOf(visit), visit.facts));
        } catch (error) {
          return factorsPage(dependencies, visit, { faults: faultsOf(error, []) });
        }
      },
    }),
  ];
}

/** Shown this once. */
export function codesPage(visit: AccountVisit, codes: readonly string[]): Reply<never> {
  return accountPage(
    visit,
    { room: '/account/factors', title: 'Your recovery codes' },
    <>
      <RecoveryCodeList codes={codes} />
      <p>
        <a href={`${visit.base}/account/factors`}>I have kept them</a>
      </p>
    </>,
  );
}

/** What may be added: as a second factor, or, a passkey, in place of a password. To be called inside `Engine.read`. */
export function addable(
  dependencies: AccountDependencies,
  { organization: { store } }: Pick<AccountVisit, 'organization'>,
): Method[] {
  const offered = offeredMethods(dependencies.mfa.dependencies, store);
  const { allowPasskeys } = readSettings(store).signIn;
  return allowPasskeys && !offered.includes('webauthn') ? [...offered, 'webauthn'] : offered;
}

interface Outcome {
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
}

function factorsPage(dependencies: AccountDependencies, visit: AccountVisit, { done, faults }: Outcome): Reply<never> {
  const { organization, user } = visit;
  const { store } = organization;
  const { factors, methods, codesLeft } = dependencies.engine.read(() => ({
    factors: listFactors(store, user.id),
    methods: addable(dependencies, visit),
    codesLeft: dependencies.mfa.recovery.left(store, user.id),
  }));
  return accountPage(
    visit,
    { room: '/account/factors', title: 'Second factors and passkeys', done, faults },
    <FactorList visit={visit} factors={factors} methods={methods} codesLeft={codesLeft} />,
  );
}
