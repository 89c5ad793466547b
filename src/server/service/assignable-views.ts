import { groupSchema, groupView } from '../../directory/groups/index.ts';
import { permissionSchema, permissionView } from '../../directory/permissions/index.ts';
import { roleSchema, roleView } from '../../directory/roles/index.ts';
import type { AssignableViews } from '../../directory/users/index.ts';

/** Answers about users show roles, groups and permissions as the modules of those do, which import that of users. */
export const assignableViews: AssignableViews = {
  role: { schema: () => roleSchema, show: roleView },
  group: { schema: () => groupSchema, show: groupView },
  permission: { schema: permissionSchema, show: permissionView },
};
