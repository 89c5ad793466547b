import { sequenceRecords } from './numbers.ts';
import { administrationRecords } from './rights-version.ts';

export { hasAdministrator } from './administrator-search.ts';
export { deletedReply, deletedResponses, removedReply, removedResponses } from './answers.ts';
export { commitPlan, commitPlanAs, nothingToCommit, type Part, type Plan } from './commit/commit-plan.ts';
export { OrganizationTransaction, Transaction, transact, transactAs } from './commit/transaction.ts';
export type { AdminDependencies } from './dependencies.ts';
export { writableBody } from './input/body.ts';
export { changedOptional } from './input/optional.ts';
export {
  BATCH_MAX,
  exactlyOne,
  idSchema,
  numberInPath,
  permissionReference,
  permissionReferences,
  referencesSchema,
} from './input/requests.ts';
export { descriptionSchema, labelSchema, nameSchema } from './input/texts.ts';
export { keepAdministrator, sameModel } from './keep-administrator.ts';
export { Numbers, NumbersInCommit } from './numbers.ts';
export { existing, forbidden, invalid, notFound, refused, refusedBecause, taken } from './problems.ts';
export {
  requireHeldPermission,
  requireHeldThrough,
  requireHeldToRevoke,
  requireNoLess,
  requirePermission,
  requireRightsOf,
  requireSignInChangeable,
  requireStillValid,
} from './requirements.ts';
export { type Kept, rightsEnded, rightsHolders, rightsIdOf, sameRights } from './rights-version.ts';

/** What this room keeps. */
export const adminRecords = [administrationRecords, sequenceRecords];
