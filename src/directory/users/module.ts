import type { Engine } from '#engine';
import type { ListServices, Module } from '../../kernel/modules/index.ts';
import { userRecords } from '../records/index.ts';
import {
  userBlocked,
  userCreated,
  userDeactivated,
  userDeleted,
  userMfaDisabled,
  userMfaEnabled,
  userPasswordChanged,
  userUnblocked,
  userUpdated,
} from './changes/user-events.ts';
import { credentialRecords } from './credentials/credentials.ts';
import { factorRecords } from './credentials/factor-record.ts';
import { linkRecords } from './credentials/links.ts';
import type { UserDependencies } from './dependencies.ts';
import { userEndpoints } from './endpoints/endpoints.ts';
import { userQueries } from './view/user-list.ts';

/** `/admin/users`, with the roles, groups and permissions assigned to them. */
export const usersModule: Module<{ readonly people: UserDependencies }, ListServices & { readonly engine: Engine }> = {
  name: 'users',
  records: [userRecords, credentialRecords, factorRecords, linkRecords],
  events: [
    userCreated,
    userUpdated,
    userDeleted,
    userBlocked,
    userDeactivated,
    userUnblocked,
    userPasswordChanged,
    userMfaEnabled,
    userMfaDisabled,
  ],
  endpoints: ({ people }) => userEndpoints(people),
  queries: ({ lists }) => userQueries(lists),
};
