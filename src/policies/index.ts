import { resourceEndpoints, resourceWork } from '../admin/index.ts';
import type { HeavyWork } from '../heavy/index.ts';
import type { Endpoint } from '../http/index.ts';
import type { RecordLists } from '../lists/index.ts';
import { inBothFamilies } from '../orgs/index.ts';
import type { PolicyParts } from './parts.ts';
import { policy } from './policy.ts';
import { trialEndpoints } from './trial-endpoints.ts';

/** `/admin/policies`, and trying them. */
export function policyEndpoints(parts: PolicyParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...resourceEndpoints(policy, parts, base, family),
    ...trialEndpoints(parts, base, family),
  ]);
}

export function policyWork(lists: RecordLists): HeavyWork[] {
  return [resourceWork(policy, lists)];
}
