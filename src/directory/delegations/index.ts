import type { ListServices, Module } from '../../kernel/modules/index.ts';
import { delegationRecords } from '../records/index.ts';
import { adminEndpoints, type DelegationDependencies, delegationQuery, ownEndpoints } from './endpoints.ts';

export type { NewDelegation } from './delegation-bodies.ts';
export { createDelegation, delegationsOf, withdrawDelegation } from './delegation-service.ts';

/** What people let agents do in their names. */
export const delegationsModule: Module<DelegationDependencies, ListServices> = {
  name: 'delegations',
  records: [delegationRecords],
  endpoints: (services) => [...ownEndpoints(services), ...adminEndpoints(services)],
  queries: ({ lists }) => [delegationQuery(lists)],
};
