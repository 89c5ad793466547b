export { type Administration, isLimited, otherAdministrator } from './administrators.ts';
export { builtModelFile, builtModelOf } from './built-model.ts';
export {
  type HoldingsQuestion,
  holdsPermission,
  missingPermission,
  missingSystemPermission,
  missingSystemPermissionOf,
} from './holdings.ts';
export { type Reach, reachOf } from './reach.ts';
export { type Right, RightCheck } from './right-check.ts';
export { scopeCovers } from './scope-covers.ts';
export {
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
