export { answerIfMay } from './answer-if-may.ts';
export { OrganizationDirectory } from './directory.ts';
export { platformEndpoints } from './endpoints.ts';
export { type FamilyBase, inBothFamilies } from './families.ts';
export {
  type Caller,
  type Organization,
  type OrganizationEntry,
  type OrganizationRecord,
  organizationEntry,
  organizationRecords,
  platformStore,
  putOrganization,
  sameOrganization,
  storeOf,
} from './organization.ts';
export { Organizations, type OrganizationsParts } from './organizations.ts';
export { slugPattern, slugSchema } from './slug.ts';
export { type SweepStep, setAsideUnreadable, sweepExpired, sweepOrganizations } from './sweep.ts';
export { OrganizationWalk, slugOf, type WalkParts } from './walk.ts';
