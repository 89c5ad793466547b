import { ofResource } from '../../kernel/modules/index.ts';
import { eventsOfGroups, userGroup } from '../assignments/index.ts';
import { group } from './group.ts';
import { memberEndpoints } from './member-endpoints.ts';

export { group, groupSchema, groupView } from './group.ts';

/** `/admin/groups`, with their members and roles. */
export const groupsModule = {
  name: 'groups',
  records: [group.records],
  events: eventsOfGroups,
  assignments: [userGroup],
  ...ofResource(group, memberEndpoints),
};
