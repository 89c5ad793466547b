export {
  adoptionRecords,
  areGroupNamesIndexed,
  forgetAdoption,
  hasSystem,
  isAdopted,
  markAdopted,
  markGroupNamesIndexed,
  markSystem,
} from './adoption.ts';
export { agencyAsRead, agencyBounds, agencyCountsUntil, agencyTerms, agencyUntil } from './agency/agency.ts';
export { type DelegationEntry, type DelegationRecord, delegationRecords } from './agency/delegation-record.ts';
export { hasRelation, outcomeOf } from './agency/lending.ts';
export {
  anyApprover,
  elevationSubject,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
  taskStatuses,
} from './agency/task-record.ts';
export {
  findGroup,
  type GroupEntry,
  type GroupRecord,
  groupMembers,
  groupObject,
  groupRecords,
  rivalGroup,
} from './groups.ts';
export { type Checkpoint, importRecords } from './import-record.ts';
export {
  expectedGroupVersions,
  expectedRoleVersions,
  grant,
  leftoversOf,
  slugsOf,
  subjectsOf,
  userIdsOf,
} from './memberships.ts';
export {
  findPermission,
  numberKey,
  type PermissionEntry,
  type PermissionRecord,
  permissionRecords,
  putPermission,
  rivalPermission,
} from './permissions.ts';
export {
  type PolicyEntry,
  type PolicyRecord,
  policyActors,
  policyObject,
  policyRecords,
} from './policies.ts';
export {
  findRole,
  type RoleEntry,
  type RoleRecord,
  rivalRole,
  roleAssignees,
  roleObject,
  roleRecords,
} from './roles.ts';
export { slugKey } from './slugs/by-slug.ts';
export { type NamedByTuple, namedGroup, namedPermission, namedRole } from './slugs/named-by-tuples.ts';
export { groupNamed, permissionNamed, roleNamed, slugAsked, userIdNamed, userNamed } from './slugs/references.ts';
export { actors, clientActor } from './subjects/actors.ts';
export {
  AGENTS_MAX,
  type AgentEntry,
  type AgentRecord,
  agentActor,
  agentRecords,
  agentSubject,
  agentTypes,
  disownAgents,
  isAdmitted,
  mintAgentKey,
  networksOf,
  notAdmitted,
} from './subjects/agents.ts';
export {
  type KeyEntry,
  type KeyRecord,
  keyActor,
  keyRecords,
  keySubject,
  mintKey,
} from './subjects/keys.ts';
export {
  type FederatedCredential,
  hasOwnKeys,
  type KeyFault,
  keyFault,
  keySchemas,
  type OwnKeys,
  storedKeys,
} from './subjects/own-keys.ts';
export {
  maskedScimToken,
  mintScimToken,
  newestScimToken,
  type ScimTokenEntry,
  type ScimTokenRecord,
  scimTokenRecords,
  scimTokenSubject,
  scimTokenUseRecords,
} from './subjects/scim-tokens.ts';
export {
  activeUser,
  countsNow,
  emailKey,
  findUserByEmail,
  findUserByNumber,
  findUserByProvisionedName,
  findUserByUsername,
  getUser,
  type UserEntry,
  type UserRecord,
  userActing,
  userAsActor,
  userAttributes,
  userRecords,
  userSubject,
} from './subjects/users.ts';
export { usersWith } from './subjects/users-with.ts';
export { firstOwnNumber, putSystemPermissions, systemRecords } from './system-records.ts';
