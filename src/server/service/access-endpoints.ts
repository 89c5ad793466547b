import type { Engine } from '#engine';
import { type AdminParts, Numbers } from '../../admin/index.ts';
import { groupEndpoints, groupWork } from '../../groups/index.ts';
import type { HeavyRunner, HeavyWork } from '../../heavy/index.ts';
import type { Endpoint } from '../../http/index.ts';
import type { RecordLists } from '../../lists/index.ts';
import { memberWork } from '../../members/index.ts';
import { permissionEndpoints, permissionWork, scopeEndpoints } from '../../permissions/index.ts';
import { policyEndpoints, policyWork } from '../../policies/index.ts';
import { roleEndpoints, roleWork } from '../../roles/index.ts';

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
