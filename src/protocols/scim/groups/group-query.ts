import { groupRecords } from '../../../directory/records/index.ts';
import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import { type Projection, parseProjection } from '../documents/projection.ts';
import { groupType } from '../schema/group-type.ts';
import { existingRecord } from '../service/existing-record.ts';
import { groupResource, memberIds } from './group-resource.ts';

/** One group with all its members. */
export interface GroupQueryTask extends QueryTask {
  readonly kind: 'scim_group';
  readonly id: string;
  readonly base: string;
  readonly projection: Projection;
}

/** Large groups are read in the threads of the pool. */
export const groupQuery: QueryHandler<GroupQueryTask> = {
  kind: 'scim_group',
  permission: 'groups.read',
  answer(caller, { id, base, projection }) {
    const { store } = caller.organization;
    const entry = existingRecord(store, groupRecords, id);
    const resource = groupResource(store, entry, base, memberIds(store, entry.document.name));
    return parseProjection(groupType, projection)(resource);
  },
};
