export { assign, hasForGood, revoke, revokeAll } from './assign.ts';
export type {
  AssignableDescription,
  AssignableName,
  Assignment,
  Holder,
  Made,
  Maker,
  Making,
} from './assignment.ts';
export { type AnyAssignable, type AnyAssignment, Assignments, defineAssignment } from './assignments.ts';
export type { Telling } from './telling.ts';
