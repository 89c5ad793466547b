import type { Engine } from '#engine';
import type { ListServices, Module } from '../../kernel/modules/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { userRecords } from '../records/index.ts';
import { userEvents } from './changes/user-events.ts';
import { credentialRecords } from './credentials/credentials.ts';
import { factorRecords } from './credentials/factor-record.ts';
import { linkRecords } from './credentials/links.ts';
import type { UserDependencies } from './dependencies.ts';
import { assignmentEndpoints } from './endpoints/assignment-endpoints.ts';
import { recordEndpoints } from './endpoints/record-endpoints.ts';
import { statusEndpoints } from './endpoints/status-endpoints.ts';
import { userQuery } from './view/user-list.ts';

/** `/admin/users`, with the roles, groups and permissions assigned to them. */
export const usersModule: Module<{ readonly people: UserDependencies }, ListServices & { readonly engine: Engine }> = {
  name: 'users',
  records: [userRecords, credentialRecords, factorRecords, linkRecords],
  events: userEvents,
  endpoints: ({ people: dependencies }) =>
    inBothFamilies((base, family) => {
      const room = { dependencies, base, family };
      return [...recordEndpoints(room), ...statusEndpoints(room), ...assignmentEndpoints(room)];
    }),
  queries: ({ lists }) => [userQuery(lists)],
};
