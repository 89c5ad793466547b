import type { ListServices, Module } from '../../kernel/modules/index.ts';
import { delegationRecords } from '../records/index.ts';
import { adminEndpoints, type DelegationDependencies, delegationQuery } from './admin-endpoints.ts';
import { ownEndpoints } from './own-endpoints.ts';

/** What people let agents do in their names. */
export const delegationsModule: Module<DelegationDependencies, ListServices> = {
  name: 'delegations',
  records: [delegationRecords],
  endpoints: (services) => [...ownEndpoints(services), ...adminEndpoints(services)],
  queries: ({ lists }) => [delegationQuery(lists)],
};
