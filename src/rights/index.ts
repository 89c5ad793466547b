export { type Administration, otherAdministrator } from './administrators.ts';
export { type HoldingsQuestion, holdsGroup, holdsPermission, holdsRole, missingPermission } from './holdings.ts';
export { type Right, RightCheck, type RightsStore } from './right-check.ts';
export { loadSystemModel, restoreSystemModel, type SystemModel, type SystemModelData } from './system-model.ts';
export {
  adminRole,
  isSystemPermission,
  permissionObject,
  type SystemPermission,
  systemPermissions,
  systemTuples,
} from './system-permissions.ts';
