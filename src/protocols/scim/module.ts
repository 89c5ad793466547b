import type { ListServices, Module } from '../../kernel/modules/index.ts';
import type { Organization, OrganizationDirectory } from '../../kernel/organizations/index.ts';
import type { TaskQueue } from '../../kernel/tasks/index.ts';
import { type BulkTaskServices, bulkTaskHandler } from './bulk/bulk-task.ts';
import { discoveryEndpoints } from './discovery/discovery-endpoints.ts';
import { atBothBases } from './endpoints/bases.ts';
import { bulkEndpoint } from './endpoints/bulk-endpoint.ts';
import { listEndpoints } from './endpoints/list-endpoints.ts';
import { meEndpoints } from './endpoints/me-endpoints.ts';
import { resourceEndpoints } from './endpoints/resource-endpoints.ts';
import { acceptedGroupOperations, groupQuery, groupTaskHandler } from './groups/large-groups.ts';
import { scimListQuery } from './lists/list-query.ts';
import { userOperations } from './service/operations.ts';
import { isProvisioned } from './tokens/provisioning-caller.ts';

type ScimServices = BulkTaskServices & { readonly tasks: TaskQueue } & {
  readonly directory: Pick<OrganizationDirectory, 'find'>;
};

/** SCIM 2.0 (RFC 7642 to 7644): users and groups as other systems provision them. */
export const scimModule: Module<ScimServices, ListServices> = {
  name: 'scim',
  endpoints: ({ people, directory, tasks }) => [
    ...discoveryEndpoints({ ...people, find: (slug) => provisioned(directory.find(slug)) }),
    ...atBothBases((base) => [
      ...listEndpoints(people, base),
      ...[userOperations(people), acceptedGroupOperations(people, tasks)].flatMap((operations) =>
        resourceEndpoints({ dependencies: people, operations, base }),
      ),
      ...meEndpoints(people, base),
      bulkEndpoint({ tasks, baseUrl: people.baseUrl }, base),
    ]),
  ],
  tasks: (services) => [bulkTaskHandler(services), groupTaskHandler(services)],
  queries: ({ lists }) => [scimListQuery(lists), groupQuery],
};

function provisioned(organization: Organization | undefined): Organization | undefined {
  return organization !== undefined && isProvisioned(organization.store) ? organization : undefined;
}
