export { hasAdministrator } from './administrator-search.ts';
export { deletedReply, deletedResponses, removedReply, removedResponses } from './answers.ts';
export { writableBody } from './body.ts';
export { commitPlan, commitPlanAs, type DomainEvent, type Plan, unchanged } from './commit-plan.ts';
export { type Kept, keepAdministrator, sameModel } from './keep-administrator.ts';
export { Numbers } from './numbers.ts';
export type { AdminParts } from './parts.ts';
export { forbidden, invalid, notFound, refused, taken } from './problems.ts';
export { BATCH_MAX, exactlyOne, idSchema, numberInPath, numberSchema } from './requests.ts';
export {
  requireHeldPermission,
  requireHeldThrough,
  requireHeldToTake,
  requireNoLess,
  requirePermission,
  requireSignInChangeable,
  requireStillValid,
  takeTuples,
} from './requirements.ts';
export { descriptionSchema, labelSchema, nameSchema } from './texts.ts';
