import { groupMemberAdded, groupMemberRemoved, roleAssigned, roleUnassigned } from './events.ts';
import { roleCreated, roleUpdated } from './role-events.ts';

export {
  groupRole,
  rolePermission,
  userGroup,
  userHolder,
  userPermission,
  userRole,
} from './assignments.ts';

export { permissionIn, roleIn, userIn, userInPath } from './named.ts';
export { changeRights, permissionSlugs, roleSlugs } from './own-rights.ts';
export { roleEvents } from './role-events.ts';

/** What happens to roles, and to groups. */
export const eventsOfRoles = [roleCreated, roleUpdated, roleAssigned, roleUnassigned];
export const eventsOfGroups = [groupMemberAdded, groupMemberRemoved];
export { toldAs } from './told-as.ts';
