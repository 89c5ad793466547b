import type { Module } from '../../kernel/modules/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { providerEndpoints } from './endpoints/provider-endpoints.ts';
import { orgShape, tenantShape } from './endpoints/shapes.ts';
import type { SocialDependencies } from './provider-changes.ts';
import { goneProviderRecords, providerRecords } from './provider-record.ts';

/** `/admin/social-providers`: two shapes of the same records. */
export const providersModule: Module<SocialDependencies> = {
  name: 'providers',
  records: [providerRecords, goneProviderRecords],
  endpoints: (services) =>
    inBothFamilies((base, family) =>
      family === 'org' ? providerEndpoints(services, base, orgShape) : providerEndpoints(services, base, tenantShape),
    ),
};
