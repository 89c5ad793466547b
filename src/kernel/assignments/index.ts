export { give, hasForGood, take } from './assign.ts';
export type { Assignment, Given, Holder } from './assignment.ts';
export { type AnyAssignment, Assignments, defineAssignment, type Telling } from './telling.ts';
