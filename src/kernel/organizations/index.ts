export {
  type Agency,
  agencySchema,
  answerIfMay,
  type Caller,
  type CredentialReference,
  endpoint,
  lentSubject,
  type RequireHeard,
  type Validity,
} from './caller.ts';
export { type FamilyBase, familyBases, inBothFamilies } from './families.ts';
export { keyCheckOf, masterKeyCheckId, masterKeyRecords } from './master-key.ts';
export {
  type CallCount,
  type Organization,
  OrganizationDirectory,
  type OrganizationEntry,
  type OrganizationRecord,
  organizationEntry,
  organizationRecords,
  platformStore,
  putOrganization,
  sameOrganization,
  storeOf,
  writtenAt,
} from './organization.ts';
export { organizationSlugSchema, slugOfName, slugPattern, slugSchema } from './slug.ts';
export {
  type SweepPlan,
  type SweepStep,
  setAsideUnreadable,
  sweepExpired,
  sweepOldest,
  sweepOrganizations,
} from './sweep.ts';
export {
  DUE,
  type Look,
  MORE_NOW,
  NOTHING_DUE,
  OrganizationWalk,
  slugOf,
  type Visit,
  type WalkDependencies,
} from './walk.ts';
