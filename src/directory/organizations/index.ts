export { platformEndpoints } from './endpoints.ts';
export { Organizations, type OrganizationsParts } from './organizations.ts';
