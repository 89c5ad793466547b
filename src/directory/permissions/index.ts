import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../kernel/lists/index.ts';
import { inBothFamilies } from '../../kernel/organizations/index.ts';
import type { HeavyWork } from '../../kernel/queries/index.ts';
import { resourceEndpoints, resourceWork } from '../../kernel/resources/index.ts';
import type { PermissionParts } from './parts.ts';
import { permission } from './permission.ts';
import { scope } from './scopes/scope.ts';
import { usageEndpoint } from './usage-endpoint.ts';

export { permissionSchema, permissionView } from './permission-view.ts';
export { findScope, scopeRecords } from './scopes/scope-record.ts';

/** `/admin/permissions`, with who has them. */
export function permissionEndpoints(parts: PermissionParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    ...resourceEndpoints(permission, parts, base, family),
    usageEndpoint(parts, base, family),
  ]);
}

/** `/admin/scopes`. */
export function scopeEndpoints(parts: PermissionParts): Endpoint[] {
  return inBothFamilies((base, family) => resourceEndpoints(scope, parts, base, family));
}

export function permissionWork(lists: RecordLists): HeavyWork[] {
  return [resourceWork(permission, lists), resourceWork(scope, lists)];
}
