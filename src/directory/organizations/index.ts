import type { Module } from '../../kernel/modules/index.ts';
import { adoptionRecords, importRecords } from '../records/index.ts';
import { platformEndpoints } from './endpoints.ts';
import type { Organizations } from './organizations.ts';

export { Organizations, type OrganizationsDependencies } from './organizations.ts';

/** `/platform/api/v1/orgs`. */
export const organizationsModule: Module<{ readonly organizations: Organizations }> = {
  name: 'organizations',
  records: [adoptionRecords, importRecords],
  endpoints: ({ organizations }) => platformEndpoints(organizations),
};
