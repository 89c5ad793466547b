export { organizationsModule } from './module.ts';
export { Organizations, type OrganizationsDependencies } from './organizations.ts';
