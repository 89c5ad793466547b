import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../kernel/lists/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import { resourceEndpoints, resourceWork } from '../../kernel/resources/index.ts';
import { rolePermissions, rolesOfPermission, roleUsers } from './holding-endpoints.ts';
import type { RoleParts } from './parts.ts';
import { role } from './role.ts';

export { roleSchema, roleView } from './role-view.ts';

/** `/admin/roles`, with what is in them and who has them. */
export function roleEndpoints(parts: RoleParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...resourceEndpoints(role, parts, base, family),
    ...rolePermissions(parts, base, family),
    ...roleUsers(parts, base, family),
    rolesOfPermission(parts, base, family),
  ]);
}

export function roleWork(lists: RecordLists): HeavyWork[] {
  return [resourceWork(role, lists)];
}
