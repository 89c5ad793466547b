import { rated } from '../../http/index.ts';
import type { Module } from '../../kernel/modules/index.ts';
import { authzMetrics } from './check-meter.ts';
import { checkEndpoints } from './checks/endpoints.ts';
import { decisionWork } from './heavy/decision-work.ts';
import type { AuthzParts, DecisionParts } from './parts.ts';
import { modelEndpoints } from './zanzibar/model-endpoints.ts';
import { relationEndpoints } from './zanzibar/query-endpoints.ts';
import { tupleEndpoints } from './zanzibar/tuple-endpoints.ts';

/** `/authz`, `/abac` and `/zanzibar`. */
export const decisionsModule: Module<AuthzParts, DecisionParts> = {
  name: 'decisions',
  metrics: authzMetrics,
  endpoints: (services) => [
    ...rated('decisions', [...checkEndpoints(services), ...relationEndpoints(services), ...tupleEndpoints(services)]),
    ...modelEndpoints(services),
  ],
  queries: decisionWork,
};
