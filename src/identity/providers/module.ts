import type { Module } from '../../kernel/modules/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { orgProviderEndpoints } from './endpoints/org-endpoints.ts';
import { tenantProviderEndpoints } from './endpoints/tenant-endpoints.ts';
import type { SocialDependencies } from './provider-changes.ts';
import { goneProviderRecords, providerRecords } from './provider-record.ts';

/** `/admin/social-providers`: two shapes of the same records. */
export const providersModule: Module<SocialDependencies> = {
  name: 'providers',
  records: [providerRecords, goneProviderRecords],
  endpoints: (services) =>
    inBothFamilies((base, family) =>
      family === 'org' ? orgProviderEndpoints(services, base) : tenantProviderEndpoints(services, base),
    ),
};
