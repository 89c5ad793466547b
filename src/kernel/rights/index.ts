export { type Administration, isLimited, otherAdministrator } from './administrators.ts';
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
  builtModelFile,
  builtModelOf,
  loadSystemModel,
  parseSystemModel,
  restoreSystemModel,
  type SystemModel,
  type SystemModelData,
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
