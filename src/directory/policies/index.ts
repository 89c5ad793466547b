import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../kernel/lists/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import { resourceEndpoints, resourceWork } from '../../kernel/resources/index.ts';
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
