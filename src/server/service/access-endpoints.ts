import type { Engine } from '#engine';
import { groupEndpoints, groupWork } from '../../directory/groups/index.ts';
import { memberWork } from '../../directory/members/index.ts';
import { permissionEndpoints, permissionWork, scopeEndpoints } from '../../directory/permissions/index.ts';
import { policyEndpoints, policyWork } from '../../directory/policies/index.ts';
import { roleEndpoints, roleWork } from '../../directory/roles/index.ts';
import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../kernel/lists/index.ts';
import type { HeavyRunner, HeavyWork } from '../../kernel/queries/index.ts';
import { type AdminParts, Numbers } from '../../kernel/transactions/index.ts';

/** What people are given, and through what: roles, permissions, groups, policies. */
export function accessEndpoints(admin: AdminParts, heavy: HeavyRunner): Endpoint[] {
  const parts = { ...admin, heavy, numbers: new Numbers(admin.engine) };
  return [
    ...roleEndpoints(parts),
    ...permissionEndpoints(parts),
    ...scopeEndpoints(parts),
    ...groupEndpoints(parts),
    ...policyEndpoints(parts),
  ];
}

/** Their lists. */
export function accessWork(engine: Engine, lists: RecordLists): HeavyWork[] {
  return [
    ...roleWork(lists),
    ...permissionWork(lists),
    ...groupWork(lists),
    memberWork(engine, lists),
    ...policyWork(lists),
  ];
}
