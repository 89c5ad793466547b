import { type GroupRecord, groupCollection } from '../directory/index.ts';
import { type HeavyWork, recordListWork } from '../heavy/index.ts';
import type { ListDefinition, RecordLists } from '../lists/index.ts';
import { groupView } from './group-view.ts';

export const groupSorts = ['name', 'displayName', 'createdAt', 'updatedAt'] as const;

const definition: ListDefinition<GroupRecord> = {
  collection: groupCollection,
  text: ({ name, displayName }) => [name, displayName],
  sorts: {
    name: ({ name }) => name,
    displayName: ({ displayName }) => displayName,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  },
  filters: {},
};

export function groupListWork(lists: RecordLists): HeavyWork {
  return recordListWork(lists, { kind: 'groups', permission: 'groups.read', definition, view: groupView });
}
