import { z } from 'zod';
import { delegationsOf, withdrawDelegation } from '../../../directory/delegations/index.ts';
import { activeFor, endElevation, personCaller, taskView } from '../../../directory/elevations/index.ts';
import { agentRecords } from '../../../directory/records/index.ts';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import type { FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf } from '../frame/faults.ts';
import { AgentTabs } from './agent-tabs.tsx';
import { delegateEndpoints } from './delegate-endpoints.tsx';
import { DelegationList } from './delegation-list.tsx';
import { LentList } from './lent-list.tsx';

const path = '/orgs/{orgId}/account/agents';
const id = z.string().max(128).default('');

/** Agents that act for a user, and what they were lent. */
export function agentPageEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'Agents that act for the user',
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => agentsPage(dependencies, visit, { done: visit.query.done }),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/agents/withdraw',
      page: path,
      summary: 'Withdraws a delegation',
      body: z.object({ delegation: id }),
      async handler(visit) {
        const { organization, user, facts, body, base } = visit;
        await withdrawDelegation(dependencies, { organization, userId: user.id, facts }, body.delegation);
        return redirect(303, `${base}/account/agents?done=delegation-withdrawn`);
      },
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path: '/orgs/{orgId}/account/agents/end',
      page: path,
      summary: 'Ends what an agent was lent',
      body: z.object({ task: id }),
      async handler(visit) {
        const { organization, user, facts, body, base } = visit;
        const person = dependencies.engine.read(() => personCaller(dependencies, organization, user.id));
        try {
          await endElevation(dependencies, ownLoansAlone(person), facts, body.task);
          return redirect(303, `${base}/account/agents?done=elevation`);
        } catch (error) {
          return agentsPage(dependencies, visit, { faults: faultsOf(visit.t, error, []) });
        }
      },
    }),
    ...delegateEndpoints(dependencies),
  ];
}

/** Rights of administrators are used at the endpoints for them, never by a cookie. */
function ownLoansAlone(person: ReturnType<typeof personCaller>): ReturnType<typeof personCaller> {
  return { ...person, may: () => false };
}

interface Outcome {
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
}

function agentsPage(dependencies: AccountDependencies, visit: AccountVisit, { done, faults }: Outcome): Reply<never> {
  const { organization, user } = visit;
  const { store } = organization;
  const now = dependencies.clock.now();
  const found = dependencies.engine.read(() => ({
    lent: activeFor(store, user.id, now).map((task) => taskView(store, task, now)),
    delegations: delegationsOf(store, user.id, now).map((delegation) => {
      const { agentId } = delegation.document;
      return { ...delegation, agentName: agentRecords.get(store, agentId)?.document.name ?? agentId };
    }),
  }));
  return accountPage(
    visit,
    { room: 'agents', title: visit.t('agents.agents'), lead: visit.t('agents.lead'), done, faults },
    <>
      <AgentTabs visit={visit} tab="agents" />
      <LentList visit={visit} lent={found.lent} />
      <DelegationList visit={visit} delegations={found.delegations} />
    </>,
  );
}
