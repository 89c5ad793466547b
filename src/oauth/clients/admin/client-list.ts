import { type HeavyWork, recordListWork } from '../../../heavy/index.ts';
import type { ListDefinition, RecordLists } from '../../../lists/index.ts';
import { type ClientRecord, clientRecords } from '../records/client-record.ts';
import { clientView } from './client-view.ts';

export const clientSorts = ['name', 'createdAt', 'updatedAt', 'lastUsedAt'] as const;

const definition: ListDefinition<ClientRecord> = {
  records: clientRecords,
  text: ({ name, redirectUris, clientUri }, id) => [id, name, clientUri, ...redirectUris],
  sorts: {
    name: ({ name }) => name,
    createdAt: ({ createdAt }) => createdAt,
    updatedAt: ({ updatedAt }) => updatedAt,
    lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
  },
  filters: {
    isActive: ({ isActive }) => isActive,
    type: ({ type }) => type,
    registration: ({ kind }) => kind,
  },
};

export function clientWork(lists: RecordLists): HeavyWork {
  return recordListWork(lists, { kind: 'clients', permission: 'clients.read', definition, view: clientView });
}
