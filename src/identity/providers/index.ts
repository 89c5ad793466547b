import type { Endpoint } from '../../http/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import { orgProviderEndpoints } from './endpoints/org-endpoints.ts';
import { tenantProviderEndpoints } from './endpoints/tenant-endpoints.ts';
import type { SocialParts } from './provider-changes.ts';
import { goneProviderRecords, providerRecords } from './provider-record.ts';

export { type Discovered, discover } from './discovery/discover.ts';
export { callbackUrl } from './endpoints/views.ts';
export type { SocialParts } from './provider-changes.ts';
export {
  findProvider,
  goneProviderRecords,
  type OpenSecrets,
  openSecrets,
  type ProviderEntry,
  type ProviderRecord,
  providerRecords,
  usableProvider,
  usableProviders,
} from './provider-record.ts';
export type { TypeName } from './provider-types.ts';

/** `/admin/social-providers`: two shapes of the same records. */
export function socialEndpoints(parts: SocialParts): Endpoint[] {
  return inBothFamilies((base, family) =>
    family === 'org' ? orgProviderEndpoints(parts, base) : tenantProviderEndpoints(parts, base),
  );
}

/** What this room keeps. */
export const socialRecords = [providerRecords, goneProviderRecords];
