export { OrganizationDirectory } from './directory.ts';
export { platformEndpoints } from './endpoints.ts';
export { type FamilyBase, familyBases, inBothFamilies } from './families.ts';
export {
  type Caller,
  type Organization,
  type OrganizationRecord,
  platformStore,
  storeOf,
} from './organization.ts';
export { type CreatedOrganization, Organizations, type OrganizationsParts } from './organizations.ts';
export { slugPattern, slugSchema } from './slug.ts';
