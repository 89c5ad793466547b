import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../kernel/lists/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import { resourceEndpoints, resourceWork } from '../../kernel/resources/index.ts';
import { group } from './group.ts';
import { groupMemberEndpoints, groupRoleEndpoints } from './member-endpoints.ts';
import type { GroupParts } from './parts.ts';

export { groupSchema, groupView } from './group-view.ts';

/** `/admin/groups`, with their members and roles. */
export function groupEndpoints(parts: GroupParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...resourceEndpoints(group, parts, base, family),
    ...groupMemberEndpoints(parts, base, family),
    ...groupRoleEndpoints(parts, base, family),
  ]);
}

export function groupWork(lists: RecordLists): HeavyWork[] {
  return [resourceWork(group, lists)];
}
