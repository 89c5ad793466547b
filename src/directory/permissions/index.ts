import { ofResource } from '../../kernel/modules/index.ts';
import { userPermission } from '../assignments/index.ts';
import { permission } from './permission.ts';
import { scope } from './scope.ts';
import { usageEndpoint } from './usage.ts';

export { permission } from './permission.ts';
export { permissionSchema, permissionView } from './permission-view.ts';
export { findScope, ownScopeNames, scimScope, serviceScopes, signalScopes } from './scope.ts';

/** `/admin/permissions`, with who has them. */
export const permissionsModule = {
  name: 'permissions',
  records: [permission.records],
  assignments: [userPermission],
  ...ofResource(permission, (services, base, family) => [usageEndpoint(services, base, family)]),
};

/** `/admin/scopes`. */
export const scopesModule = { name: 'scopes', records: [scope.records], ...ofResource(scope) };
