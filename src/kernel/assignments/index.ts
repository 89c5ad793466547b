export { give, hasForGood, take } from './assign.ts';
export { type Assignment, findGiven, type Given, type GivenName, type Holder, requireHeldOf } from './assignment.ts';
export { type AnyAssignment, type AnyGiven, Assignments, defineAssignment } from './assignments.ts';
export type { Telling } from './telling.ts';
