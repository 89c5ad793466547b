import { rated } from '../../http/index.ts';
import type { Module } from '../../kernel/modules/index.ts';
import { authzMetrics } from './check-meter.ts';
import { checkEndpoints } from './checks/endpoints.ts';
import { freshened } from './context/consistency.ts';
import type { AuthzDependencies, DecisionDependencies } from './dependencies.ts';
import { decisionQueries } from './queries/decision-queries.ts';
import { modelEndpoints } from './zanzibar/model-endpoints.ts';
import { relationEndpoints } from './zanzibar/query-endpoints.ts';
import { tupleEndpoints } from './zanzibar/tuple-endpoints.ts';

/** `/authz`, `/abac` and `/zanzibar`. */
export const decisionsModule: Module<AuthzDependencies, DecisionDependencies> = {
  name: 'decisions',
  metrics: authzMetrics,
  endpoints: (services) => [
    ...freshened(
      rated('decisions', [...checkEndpoints(services), ...relationEndpoints(services), ...tupleEndpoints(services)]),
      services.freshness,
    ),
    ...modelEndpoints(services),
  ],
  queries: decisionQueries,
};
