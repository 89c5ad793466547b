import type { Endpoint } from '../http/index.ts';
import { inBothFamilies } from '../orgs/index.ts';
import { orgProviderEndpoints } from './endpoints/org-endpoints.ts';
import { tenantProviderEndpoints } from './endpoints/tenant-endpoints.ts';
import type { SocialParts } from './provider-service.ts';

export type { SocialParts } from './provider-service.ts';

/** `/admin/social-providers`: two shapes of the same records. */
export function socialEndpoints(parts: SocialParts): Endpoint[] {
  return inBothFamilies((base, family) =>
    family === 'org' ? orgProviderEndpoints(parts, base) : tenantProviderEndpoints(parts, base),
  );
}
