import { type PermissionRecord, permissionRecords } from '../directory/index.ts';
import { type HeavyWork, recordListWork } from '../heavy/index.ts';
import type { ListDefinition, RecordLists } from '../lists/index.ts';
import { permissionView } from './permission-view.ts';

export const permissionSorts = ['id', 'name', 'slug', 'resource', 'action', 'category', 'createdAt'] as const;

const definition: ListDefinition<PermissionRecord> = {
  records: permissionRecords,
  text: ({ name, slug, description }) => [name, slug, description],
  sorts: {
    id: ({ number }) => number,
    name: ({ name }) => name,
    slug: ({ slug }) => slug,
    resource: ({ resource }) => resource,
    action: ({ action }) => action,
    category: ({ category }) => category,
    createdAt: ({ createdAt }) => createdAt,
  },
  filters: { isSystem: ({ isSystem }) => isSystem, category: ({ category }) => category },
};

export function permissionListWork(lists: RecordLists): HeavyWork {
  return recordListWork(lists, {
    kind: 'permission_records',
    permission: 'permissions.read',
    definition,
    view: permissionView,
  });
}
