import { type PolicyRecord, policyRecords } from '../directory/index.ts';
import { type HeavyWork, recordListWork } from '../heavy/index.ts';
import type { ListDefinition, RecordLists } from '../lists/index.ts';
import { policyView } from './policy-view.ts';

export const policySorts = ['name', 'createdAt', 'updatedAt'] as const;

const definition: ListDefinition<PolicyRecord> = {
  records: policyRecords,
  text: ({ name, description }) => [name, description],
  sorts: {
    name: ({ name }) => name,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  },
  filters: { enabled: ({ enabled }) => enabled },
};

export function policyListWork(lists: RecordLists): HeavyWork {
  return recordListWork(lists, { kind: 'policies', permission: 'policies.read', definition, view: policyView });
}
