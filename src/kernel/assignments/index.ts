export { give, hasForGood, take } from './assign.ts';
export {
  type Assignment,
  groupRole,
  rolePermission,
  userGroup,
  userHolder,
  userPermission,
  userRole,
} from './assignment.ts';
export { type Telling, toldTuple } from './telling.ts';
