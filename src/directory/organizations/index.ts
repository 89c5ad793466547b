export { organizationsModule } from './module.ts';
export { Organizations, type OrganizationsParts } from './organizations.ts';
