import { type ListServices, type Module, ofResource } from '../../../kernel/modules/index.ts';
import type { ResourceEndpointDependencies } from '../../../kernel/resources/index.ts';
import { applicationEndpoints } from '../applications/application-endpoints.ts';
import { client } from './admin/client.ts';
import { spentAssertionRecords } from './authentication/spent-assertions.ts';
import { clientCreated, clientDeleted } from './records/client-events.ts';
import { goneClientRecords } from './records/client-record.ts';
import { clientRights } from './records/client-rights.ts';
import type { ClientDependencies } from './records/metadata-rules.ts';
import { type RegistrationEndpointDependencies, registrationEndpoints } from './registration/registration-endpoints.ts';

const administered = ofResource(client);

/** What administrators do with clients, what clients do that register themselves, and whom users let in. */
export const clientsModule: Module<
  ClientDependencies & ResourceEndpointDependencies & RegistrationEndpointDependencies,
  ListServices
> = {
  name: 'clients',
  assignments: [clientRights.roles, clientRights.permissions],
  records: [client.records, goneClientRecords, spentAssertionRecords],
  events: [clientCreated, clientDeleted],
  endpoints: (services) => [
    ...administered.endpoints(services),
    ...registrationEndpoints(services),
    ...applicationEndpoints(services),
  ],
  queries: administered.queries,
};
