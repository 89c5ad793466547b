export { give, hasForGood, take } from './assign.ts';
export type { Assignment, GivenDescription, GivenName, Holder } from './assignment.ts';
export { type AnyAssignment, type AnyGiven, Assignments, defineAssignment } from './assignments.ts';
export type { Telling } from './telling.ts';
