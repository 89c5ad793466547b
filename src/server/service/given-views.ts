import { groupSchema, groupView } from '../../directory/groups/index.ts';
import { permissionSchema, permissionView } from '../../directory/permissions/index.ts';
import { roleSchema, roleView } from '../../directory/roles/index.ts';
import type { GivenViews } from '../../directory/users/index.ts';

/** Answers about users show what they have been given as those features do, which themselves know users. */
export const givenViews: GivenViews = {
  role: { schema: () => roleSchema, show: roleView },
  group: { schema: () => groupSchema, show: groupView },
  permission: { schema: permissionSchema, show: permissionView },
};
