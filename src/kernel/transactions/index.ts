import { sequenceRecords } from './numbers.ts';
import { administrationRecords } from './rights-version.ts';

export { afterCommit } from './commit/after-commit.ts';
export { transact, transactAs } from './commit/transact.ts';
export { OrganizationTransaction, type Part, Transaction } from './commit/transaction.ts';
export type { AdminDependencies } from './dependencies.ts';
export {
  BATCH_MAX,
  changedOptional,
  descriptionSchema,
  exactlyOne,
  idSchema,
  labelSchema,
  nameSchema,
  numberInPath,
  permissionReference,
  permissionReferences,
  referencesSchema,
  writableBody,
} from './input.ts';
export { hasAdministrator, keepAdministrator, sameModel } from './keep-administrator.ts';
export { Numbers, NumbersInCommit } from './numbers.ts';
export { existing, forbidden, invalid, notFound, refused, refusedBecause, taken, usableAddress } from './problems.ts';
export {
  type Asking,
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
