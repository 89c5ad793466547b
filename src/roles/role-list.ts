import { type RoleRecord, roleCollection } from '../directory/index.ts';
import { type HeavyWork, recordListWork } from '../heavy/index.ts';
import type { ListDefinition, RecordLists } from '../lists/index.ts';
import { roleView } from './role-view.ts';

export const roleSorts = ['name', 'slug', 'createdAt', 'updatedAt'] as const;

const definition: ListDefinition<RoleRecord> = {
  collection: roleCollection,
  text: ({ name, slug }) => [name, slug],
  sorts: {
    name: ({ name }) => name,
    slug: ({ slug }) => slug,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  },
  filters: { isSystem: ({ isSystem }) => isSystem },
};

export function roleListWork(lists: RecordLists): HeavyWork {
  return recordListWork(lists, { kind: 'roles', permission: 'roles.read', definition, view: roleView });
}
