import { type GroupRecord, groupRecords } from '../../../../directory/records/index.ts';
import type { ListDefinition } from '../../../../kernel/lists/index.ts';

/** The same of groups. */
export const groupColumns: ListDefinition<GroupRecord> = {
  records: groupRecords,
  name: 'scim',
  text: () => [],
  sorts: {
    displayName: ({ displayName }) => displayName,
    externalId: ({ externalId }) => externalId,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
  },
  exactSorts: new Set(['externalId']),
  filters: {
    displayName: ({ displayName }) => displayName.toLowerCase(),
    externalId: ({ externalId }) => externalId,
    'meta.created': ({ createdAt }) => createdAt,
    'meta.lastModified': ({ updatedAt }) => updatedAt,
  },
};
