export { checkMeter } from './check-meter.ts';
export { ModelRelations } from './checks/permission/model-relations.ts';
export { UnheldPermissions } from './checks/permission/unheld-permissions.ts';
export { RevisionTokens } from './context/revision-tokens.ts';
export type { AuthzDependencies, DecisionDependencies } from './dependencies.ts';
export { decisionsModule } from './module.ts';
export { Watches } from './watch/watches.ts';
