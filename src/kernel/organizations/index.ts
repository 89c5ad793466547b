export { answerIfMay } from './answer-if-may.ts';
export { OrganizationDirectory } from './directory.ts';
export { type FamilyBase, familyBases, inBothFamilies } from './families.ts';
export { keyCheckOf, masterKeyCheckId, masterKeyRecords } from './master-key.ts';
export {
  type Agency,
  agencySchema,
  type CallCount,
  type Caller,
  type CredentialReference,
  lentSubject,
  type Organization,
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
export type { RequireHeard } from './require-heard.ts';
export { organizationSlugSchema, slugOfName, slugPattern, slugSchema } from './slug.ts';
export {
  type SweepPlan,
  type SweepStep,
  setAsideUnreadable,
  sweepExpired,
  sweepOrganizations,
} from './sweep.ts';
export { sweepOldest } from './sweep-oldest.ts';
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
