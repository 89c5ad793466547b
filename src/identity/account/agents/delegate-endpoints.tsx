import { createDelegation } from '../../../directory/delegations/index.ts';
import { type Endpoint, ProblemError, type Reply, redirect } from '../../../http/index.ts';
import type { FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { DelegateForm } from './delegate-form.tsx';
import { heldPermissions } from './held-permissions.ts';
import { type DelegationForm, delegationForm, SCOPES_MAX, wantedDelegation } from './wanted-delegation.ts';

const path = '/orgs/{orgId}/account/agents/add';

/** Lets an agent act for a user: whoever finds a browser open must not do that. */
export function delegateEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Asks which agent is to act for the user, and how far',
      isSensitive: true,
      handler: (visit) => delegatePage(dependencies, visit),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Lets an agent act for the user',
      isSensitive: true,
      body: delegationForm,
      fieldsMax: SCOPES_MAX + 16,
      async handler(visit) {
        const { organization, user, facts, body, base } = visit;
        const wanted = dependencies.engine.read(() => wantedDelegation(visit, body, dependencies.clock.now()));
        if ('faults' in wanted) return delegatePage(dependencies, visit, { sent: body, faults: wanted.faults });
        try {
          await createDelegation(dependencies, { organization, userId: user.id, facts }, wanted.values);
          return redirect(303, `${base}/account/agents?done=delegation`);
        } catch (error) {
          return delegatePage(dependencies, visit, { sent: body, faults: refusals(visit.t, error) });
        }
      },
    }),
  ];
}

/** What is wrong with a value that only the service can tell: it names the field, and says what it must be. */
function refusals(t: AccountVisit['t'], error: unknown): FormFault[] {
  const faults = faultsOf(t, error, []);
  const [first] = error instanceof ProblemError ? (error.problem.options.errors ?? []) : [];
  if (first === undefined) return faults;
  const field = ['agentId', 'scopes'].find((name) => first.path.startsWith(name));
  return faults.map(({ message }) => ({ field: field === 'agentId' ? 'agent' : (field ?? ''), message }));
}

interface Outcome {
  readonly sent?: DelegationForm;
  readonly faults?: readonly FormFault[];
}

function delegatePage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  { sent, faults = [] }: Outcome = {},
): Reply<never> {
  const { organization, user, t } = visit;
  const now = dependencies.clock.now();
  const held = dependencies.engine.read(() => heldPermissions(t, organization, user.id, now));
  return accountPage(
    visit,
    {
      room: 'agents',
      title: t('agents.delegate'),
      lead: t('agents.delegateLead'),
      back: { path: '/account/agents', label: t('agents.agents') },
      faults,
    },
    <div class="panel alone">
      <DelegateForm visit={visit} {...held} sent={sent} faults={faults} />
    </div>,
  );
}
