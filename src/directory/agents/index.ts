export { agentUseRecords } from './agent-use.ts';
export { agentsModule } from './module.ts';
