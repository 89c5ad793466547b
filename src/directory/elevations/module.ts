import { type ListServices, type Module, ofResource, steppedJob } from '../../kernel/modules/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import type { Clock } from '../../platform/index.ts';
import { taskRecords } from '../records/index.ts';
import type { ElevationDependencies } from './dependencies.ts';
import { type DueDependencies, settleDueTasks } from './end/due-tasks.ts';
import { elevationEndpoints, elevationQuery } from './endpoints/admin-endpoints.ts';
import { jitEndpoints } from './endpoints/jit-endpoints.ts';
import { rule } from './rules/rule.ts';
import { elevationSettingsEndpoints, elevationSettingsRecords } from './settings/settings.ts';
import { jitEvents } from './told/events.ts';

interface ElevationServices extends ResourceEndpointDependencies {
  readonly elevations: ElevationDependencies;
}

interface ElevationQueries extends ListServices {
  readonly clock: Clock;
}

const rules = ofResource(rule);

/** `/jit` and `/admin/elevations`: what agents ask for beyond what they have, and what they are lent. */
export const elevationsModule: Module<ElevationServices, ElevationQueries, DueDependencies> = {
  name: 'elevations',
  records: [taskRecords, elevationSettingsRecords, rule.records],
  events: jitEvents,
  endpoints: (services) => [
    ...jitEndpoints(services.elevations),
    ...elevationEndpoints({ ...services.elevations, queryPool: services.queryPool }),
    ...elevationSettingsEndpoints(services),
    ...rules.endpoints(services),
  ],
  queries: (services) => [elevationQuery(services.lists, services.clock), ...rules.queries(services)],
  jobs: [steppedJob({ name: 'elevations', runs: 'in the cluster' }, settleDueTasks)],
};
