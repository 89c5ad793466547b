import { type ListServices, type Module, ofResource } from '../../kernel/modules/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import type { Clock } from '../../platform/index.ts';
import { agentGroup, agentRights } from '../assignments/index.ts';
import { type AgentDependencies, agent } from './agent.ts';
import { agentUseRecords } from './agent-shapes.ts';
import { type IdentityDependencies, identityEndpoints, identityQuery } from './identity-endpoint.ts';

export { agentUseRecords } from './agent-shapes.ts';

type AgentServices = AgentDependencies & IdentityDependencies & ResourceEndpointDependencies;

const administered = ofResource(agent);

/** `/admin/agents`: programs that act by themselves or for people, and what each sees of itself. */
export const agentsModule: Module<AgentServices, ListServices & { readonly clock: Clock }> = {
  name: 'agents',
  records: [agent.records, agentUseRecords],
  assignments: [agentRights.roles, agentRights.permissions, agentGroup],
  endpoints: (services) => [...administered.endpoints(services), ...identityEndpoints(services)],
  queries: (services) => [...administered.queries(services), identityQuery(services)],
};
