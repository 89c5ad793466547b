import { type Module, steppedJob } from '../../../kernel/modules/index.ts';
import { inBothFamilies, sweepOldest, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import type { TaskQueue } from '../../../kernel/tasks/index.ts';
import type { ScimDependencies } from '../service/scim-request.ts';
import { requestListEndpoint, requestListQuery } from './request-list.ts';
import { scimRequestRecords } from './request-record.ts';
import { validateEndpoint, validateTaskHandler } from './validate-endpoint.ts';

/** How many requests of an organization are kept, and how long. */
const KEPT_MAX = 5000;
const KEPT_MS = 30 * 86_400_000;

interface RequestsServices {
  readonly people: ScimDependencies;
  readonly tasks: TaskQueue;
}

/** The log of SCIM requests, and the dry run of one. */
export const scimRequestsModule: Module<RequestsServices, unknown, WalkDependencies> = {
  name: 'scim_requests',
  records: [scimRequestRecords],
  endpoints: ({ people, tasks }) =>
    inBothFamilies((base, family) => [
      requestListEndpoint(people.queryPool, base, family),
      validateEndpoint({ tasks, baseUrl: people.baseUrl }, base, family),
    ]),
  tasks: (services) => [validateTaskHandler(services)],
  queries: () => [requestListQuery],
  jobs: [
    steppedJob({ name: 'scim_requests', runs: 'in the cluster' }, (services: WalkDependencies) =>
      sweepOldest(services, {
        job: 'scim_requests',
        records: scimRequestRecords,
        at: ({ at }) => at,
        keptMs: KEPT_MS,
        keptMax: KEPT_MAX,
      }),
    ),
  ],
};
