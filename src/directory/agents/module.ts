import { ofResource } from '../../kernel/modules/index.ts';
import { agent } from './agent.ts';
import { agentUseRecords } from './agent-use.ts';
import { rotateEndpoint } from './rotate-endpoint.ts';

/** `/admin/agents`: programs that act by themselves or for people. */
export const agentsModule = {
  name: 'agents',
  records: [agent.records, agentUseRecords],
  ...ofResource(agent, (services, base, family) => [rotateEndpoint(services, base, family)]),
};
