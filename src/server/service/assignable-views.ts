import { group, groupSchema, groupView } from '../../directory/groups/index.ts';
import { permission, permissionSchema, permissionView } from '../../directory/permissions/index.ts';
import { role, roleSchema, roleView } from '../../directory/roles/index.ts';
import type { AssignableViews } from '../../directory/users/index.ts';

/** Answers about users show roles, groups and permissions as the modules of those do, which import that of users. */
export const assignableViews: AssignableViews = {
  role: { definition: role.list.definition, schema: () => roleSchema, show: roleView },
  group: { definition: group.list.definition, schema: () => groupSchema, show: groupView },
  permission: { definition: permission.list.definition, schema: permissionSchema, show: permissionView },
};
