export { authzMetrics, type CheckMeter, checkMeter } from './check-meter.ts';
export { checkEndpoints } from './checks/endpoints.ts';
export { ModelRelations } from './checks/model-relations.ts';
export { type GuardParts, type ServiceCaller, ServiceGuard } from './guard/service-guard.ts';
export { answerHeavy, type HeavyParts } from './heavy/answer-heavy.ts';
export { failureOf, type HeavyAnswer, type HeavyRequest, type HeavyRunner } from './heavy/heavy-task.ts';
export type { AuthzParts, DecisionParts } from './parts.ts';
export { relationEndpoints } from './zanzibar/query-endpoints.ts';
