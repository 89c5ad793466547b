import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { RecoveryCodeList } from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { securityRoom } from '../security/security-room.tsx';
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
      query: z.object({ done: z.string().max(32).optional(), open: z.string().max(128).optional() }),
      handler: (visit) => securityRoom(dependencies, visit, visit.query),
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
          return securityRoom(dependencies, visit, { open: visit.body.factor, faults: faultsOf(visit.t, error, []) });
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
          return securityRoom(dependencies, visit, { open: 'recovery-codes', faults: faultsOf(visit.t, error, []) });
        }
      },
    }),
  ];
}

/** Shown this once. */
export function codesPage(visit: AccountVisit, codes: readonly string[]): Reply<never> {
  const { t, base, brand, user } = visit;
  return accountPage(
    visit,
    { room: 'security', title: t('account.recoveryTitle') },
    <>
      <RecoveryCodeList codes={codes} t={t} organization={brand.name} account={user.document.email} />
      <p>
        <a class="button main" href={`${base}/account/security`}>
          {t('account.recoverySaved')}
        </a>
      </p>
    </>,
  );
}
