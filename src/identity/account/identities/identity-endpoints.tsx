import { z } from 'zod';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import type { OwnIdentities, OwnIdentity } from '../../federation/index.ts';
import { Button, type FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { Moment } from '../frame/moment.tsx';

const path = '/orgs/{orgId}/account/identities';

/** Who a user is at providers of sign-in. */
export function identityPageEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Linked accounts',
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
          return identitiesPage(dependencies, visit, faultsOf(error, []));
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
  return accountPage(
    visit,
    { room: '/account/identities', title: 'Linked accounts', done, faults },
    <Identities visit={visit} own={own} />,
  );
}

function Identities({
  visit,
  own: { identities, linkable },
}: {
  readonly visit: AccountVisit;
  readonly own: OwnIdentities;
}) {
  return (
    <>
      <p>
        {identities.length === 0
          ? 'No account elsewhere is linked with this one.'
          : 'With these accounts you can sign in here.'}
      </p>
      <ul class="items">
        {identities.map((identity) => (
          <Identity key={identity.id} visit={visit} identity={identity} />
        ))}
      </ul>
      {linkable.length === 0 ? null : <h2>Link another one</h2>}
      {linkable.map(({ provider, name }) => (
        <AccountForm
          key={provider}
          visit={visit}
          path="/account/identities/link"
          hidden={{ provider }}
          id={`link-${provider}`}
        >
          <Button kind="other">{name}</Button>
        </AccountForm>
      ))}
    </>
  );
}

function Identity({ visit, identity }: { readonly visit: AccountVisit; readonly identity: OwnIdentity }) {
  const { user } = visit;
  const { id, name, email, linkedAt } = identity;
  const { locale, zoneinfo: zone } = user.document;
  return (
    <li>
      <h2>{name}</h2>
      <p class="hint">
        {email === undefined ? null : `${email}, `}
        {'linked '}
        <Moment at={linkedAt} locale={locale} zone={zone} />.
      </p>
      <AccountForm visit={visit} path="/account/identities/unlink" hidden={{ identity: id }}>
        <Button kind="danger">
          Unlink<span class="unseen">{` ${name}`}</span>
        </Button>
      </AccountForm>
    </li>
  );
}
