import { ofResource } from '../../kernel/modules/index.ts';
import { rolePermissions, rolesOfPermission, roleUsers } from './holding-endpoints.ts';
import { role } from './role.ts';

/** `/admin/roles`, with what is in them and who has them. */
export const rolesModule = {
  name: 'roles',
  records: [role.records],
  ...ofResource(role, (services, base, family) => [
    ...rolePermissions(services, base, family),
    ...roleUsers(services, base, family),
    rolesOfPermission(services, base, family),
  ]),
};
