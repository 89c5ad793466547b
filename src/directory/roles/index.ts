import { ofResource } from '../../kernel/modules/index.ts';
import { eventsOfRoles, groupRole, rolePermission, userRole } from '../assignments/index.ts';
import { holdingEndpoints } from './holding-endpoints.ts';
import { role } from './role.ts';

export { role, roleSchema, roleView } from './role.ts';

/** `/admin/roles`, with what is in them and who has them. */
export const rolesModule = {
  name: 'roles',
  records: [role.records],
  events: eventsOfRoles,
  assignments: [userRole, groupRole, rolePermission],
  ...ofResource(role, holdingEndpoints),
};
