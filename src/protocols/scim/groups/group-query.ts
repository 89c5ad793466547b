import type { Engine } from '#engine';
import { groupRecords } from '../../../directory/records/index.ts';
import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import { type Projection, parseProjection } from '../documents/projection.ts';
import { isId } from '../documents/scim-resource.ts';
import { groupType } from '../schema/group-type.ts';
import { existingRecord } from '../service/existing-record.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { groupResource, isLarge, memberIds } from './group-resource.ts';

/** One group with all its members. */
interface GroupQueryTask extends QueryTask {
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

export function groupQueryTask({ base }: ScimRequest, id: string, projection: Projection): GroupQueryTask {
  const { attributes, excludedAttributes } = projection;
  return { kind: 'scim_group', id, base, projection: { attributes, excludedAttributes } };
}

/** Whether a group has so many members that others would wait while it is read. */
export function isLargeGroup(engine: Pick<Engine, 'read'>, { caller }: ScimRequest, id: string): boolean {
  const { store } = caller.organization;
  return engine.read(() => {
    const entry = isId(id) ? groupRecords.get(store, id) : undefined;
    return entry !== undefined && isLarge(store, entry);
  });
}
