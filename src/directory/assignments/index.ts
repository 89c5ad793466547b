import {
  groupMemberAdded,
  groupMemberRemoved,
  roleAssigned,
  roleCreated,
  roleUnassigned,
  roleUpdated,
} from './events.ts';

export {
  groupRole,
  rolePermission,
  userGroup,
  userHolder,
  userPermission,
  userRole,
} from './assignments.ts';
export { roleEvents } from './events.ts';
export { permissionIn, roleIn, userIn, userInPath } from './named.ts';
export { changeRights, permissionSlugs } from './own-rights.ts';
export { agentGroup, agentRights, keyRights, programRights, toldAsProgram } from './programs.ts';

/** What happens to roles, and to groups. */
export const eventsOfRoles = [roleCreated, roleUpdated, roleAssigned, roleUnassigned];
export const eventsOfGroups = [groupMemberAdded, groupMemberRemoved];
export { toldAs } from './makers.ts';
