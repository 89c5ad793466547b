import type { HeavyWork } from '../heavy/index.ts';
import type { Endpoint } from '../http/index.ts';
import type { RecordLists } from '../lists/index.ts';
import { inBothFamilies } from '../orgs/index.ts';
import type { PolicyParts } from './parts.ts';
import { policyCrud } from './policy-endpoints.ts';
import { policyListWork } from './policy-list.ts';

/** `/admin/policies`, in both families. */
export function policyEndpoints(parts: PolicyParts): Endpoint[] {
  return inBothFamilies((base, family) => policyCrud(parts, base, family));
}

export function policyWork(lists: RecordLists): HeavyWork[] {
  return [policyListWork(lists)];
}
