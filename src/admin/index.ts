import { administrationRecords } from './keep-administrator.ts';
import { sequenceRecords } from './numbers.ts';

export { hasAdministrator } from './administrator-search.ts';
export { removedReply, removedResponses } from './answers.ts';
export { commitPlan, commitPlanAs, type DomainEvent, type Plan, unchanged } from './commit/commit-plan.ts';
export type { Transaction } from './commit/transaction.ts';
export { writableBody } from './input/body.ts';
export { BATCH_MAX, exactlyOne, idSchema, numberInPath, numberSchema } from './input/requests.ts';
export { descriptionSchema, labelSchema, nameSchema } from './input/texts.ts';
export { type Kept, keepAdministrator, sameModel } from './keep-administrator.ts';
export { Numbers } from './numbers.ts';
export type { AdminParts } from './parts.ts';
export { existing, forbidden, invalid, notFound, refused, taken } from './problems.ts';
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
export type { Resource } from './resource/resource.ts';
export { type ResourceEndpointParts, resourceEndpoints, resourceWork } from './resource/resource-endpoints.ts';
export { happeningTo } from './resource/resource-service.ts';

/** What this room keeps. */
export const adminRecords = [administrationRecords, sequenceRecords];
