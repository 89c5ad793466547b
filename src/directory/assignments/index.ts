export {
  groupRole,
  rolePermission,
  userGroup,
  userHolder,
  userPermission,
  userRole,
} from './assignments.ts';
