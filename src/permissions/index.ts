import type { HeavyWork } from '../heavy/index.ts';
import type { RecordLists } from '../lists/index.ts';
import { permissionListWork } from './permission-list.ts';
import { scopeListWork } from './scopes/scope-endpoints.ts';

export { permissionEndpoints } from './permission-endpoints.ts';
export { permissionSchema, permissionView } from './permission-view.ts';
export { scopeEndpoints } from './scopes/scope-endpoints.ts';
export { findScope, scopeRecords } from './scopes/scope-record.ts';

export function permissionWork(lists: RecordLists): HeavyWork[] {
  return [permissionListWork(lists), scopeListWork(lists)];
}
