import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import type { FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { IdentityLists } from './identity-lists.tsx';

const path = '/orgs/{orgId}/account/identities';

/** Who a user is at providers of sign-in. */
export function identityPageEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Connected accounts',
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => identitiesPage(dependencies, visit, [], visit.query.done),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/identities/link',
      page: path,
      summary: 'Links an account at a provider',
      isSensitive: true,
      body: z.object({ provider: z.string().max(128).default('') }),
      handler: (visit) =>
        dependencies.federation.beginLink(visit, visit.body.provider, `${visit.base}/account/identities?done=identity`),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/identities/unlink',
      page: path,
      summary: 'Unlinks an account at a provider',
      isSensitive: true,
      body: z.object({ identity: z.string().max(128).default('') }),
      async handler(visit) {
        const { organization, user, body, facts, base } = visit;
        try {
          await dependencies.federation.unlink(organization, user.id, body.identity, facts);
          return redirect(303, `${base}/account/identities?done=identity-removed`);
        } catch (error) {
          return identitiesPage(dependencies, visit, faultsOf(visit.t, error, []));
        }
      },
    }),
  ];
}

function identitiesPage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  faults: readonly FormFault[],
  done?: string | undefined,
): Reply<never> {
  const { organization, user } = visit;
  const own = dependencies.engine.read(() => dependencies.federation.list(organization.store, user.id));
  const { t } = visit;
  return accountPage(
    visit,
    { room: 'identities', title: t('account.identities'), lead: t('account.identitiesLead'), done, faults },
    <IdentityLists visit={visit} own={own} />,
  );
}
