export { type Administration, isLimited, otherAdministrator } from './administrators.ts';
export {
  builtModel,
  builtModelFile,
  builtModelOf,
  type ModelText,
  type PreparedText,
  parseText,
  preparedText,
} from './built-model.ts';
export {
  type HoldingsQuestion,
  holdsPermission,
  missingPermission,
  missingSystemPermission,
  missingSystemPermissionOf,
  scopeCovers,
} from './holdings.ts';
export { type Reach, reachOf } from './reach.ts';
export { isOfTheStore, type Right, RightCheck } from './right-check.ts';
export {
  loadSystemModel,
  restoreSystemModel,
  type SystemModel,
  systemDigest,
  systemModelText,
} from './system-model.ts';
export {
  adminRole,
  isSystemPermission,
  permissionObject,
  type SystemPermission,
  systemPermissions,
  systemPermissionText,
  systemTuples,
} from './system-permissions.ts';
