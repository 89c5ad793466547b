import { ofResource } from '../../kernel/modules/index.ts';
import { group } from './group.ts';
import { groupMemberEndpoints, groupRoleEndpoints } from './member-endpoints.ts';

/** `/admin/groups`, with their members and roles. */
export const groupsModule = {
  name: 'groups',
  records: [group.records],
  ...ofResource(group, (services, base, family) => [
    ...groupMemberEndpoints(services, base, family),
    ...groupRoleEndpoints(services, base, family),
  ]),
};
