export { adoptionMark, forgetAdoption, isAdopted } from './adoption.ts';
export {
  findGroup,
  type GroupEntry,
  type GroupRecord,
  getGroup,
  groupCollection,
  groupMembers,
  groupObject,
  groupWrite,
} from './groups.ts';
export { leftoversOf } from './leftovers.ts';
export { assignment, grant, isPlain, membership, slugsOf, storedTuple, subjectsOf, tuplesOf } from './memberships.ts';
export {
  findPermission,
  getPermission,
  numberKey,
  type PermissionEntry,
  type PermissionRecord,
  permissionCollection,
  permissionWrite,
} from './permissions.ts';
export {
  getPolicy,
  type PolicyEntry,
  type PolicyRecord,
  policyActors,
  policyCollection,
  policyObject,
  policyWrite,
} from './policies.ts';
export { restsOnGroup, restsOnRole } from './rests-on.ts';
export {
  findRole,
  getRole,
  type RoleEntry,
  type RoleRecord,
  roleAssignees,
  roleCollection,
  roleObject,
  roleWrite,
  slugKey,
} from './roles.ts';
export {
  findKey,
  getKey,
  isLastingKey,
  isLiveKey,
  type KeyEntry,
  type KeyRecord,
  keyCollection,
  keyCounts,
  keySubject,
  keyWrite,
  mintKey,
  type NewKey,
} from './subjects/keys.ts';
export { userAttributes } from './subjects/user-attributes.ts';
export {
  countsNow,
  emailKey,
  findUserByEmail,
  findUserByNumber,
  findUserByUsername,
  getUser,
  type UserEntry,
  type UserRecord,
  userCollection,
  userSubject,
  userWrite,
} from './subjects/users.ts';
export { firstOwnNumber, systemPermissionWrites, systemRecords } from './system-records.ts';
