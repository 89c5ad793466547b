import { groupSchema, groupView } from '../../groups/index.ts';
import { permissionSchema, permissionView } from '../../permissions/index.ts';
import { roleSchema, roleView } from '../../roles/index.ts';
import type { GivenViews } from '../../users/index.ts';

/** Answers about users show what they have been given as those features do, which themselves know users. */
export const givenViews: GivenViews = {
  role: { schema: () => roleSchema, show: roleView },
  group: { schema: () => groupSchema, show: groupView },
  permission: { schema: permissionSchema, show: permissionView },
};
