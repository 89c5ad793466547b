import type { Engine } from '#engine';
import { groupRecords } from '../../../directory/records/index.ts';
import { ProblemError } from '../../../http/index.ts';
import {
  problemOf,
  type QueryHandler,
  type QueryPool,
  type QueryTask,
  requestOf as queryOf,
} from '../../../kernel/queries/index.ts';
import { type Projection, parseProjection, showsAny } from '../documents/projection.ts';
import { isId, type ScimResource } from '../documents/scim-resource.ts';
import { groupType } from '../schema/group-type.ts';
import { existingRecord } from '../service/existing-record.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { groupResource, isLarge, memberIds } from './group-resource.ts';

/** One group with all its members. */
interface GroupQueryTask extends QueryTask {
  readonly kind: 'scim_group';
  readonly id: string;
  readonly base: string;
  readonly projection: Projection;
}

/** Large groups are read in the threads of the pool. Answers the location, the version and the resource. */
export const groupQuery: QueryHandler<GroupQueryTask> = {
  kind: 'scim_group',
  permission: 'groups.read',
  answer(caller, { id, base, projection }) {
    const { store } = caller.organization;
    const entry = existingRecord(store, groupRecords, id);
    const resource = groupResource(store, entry, base, memberIds(store, entry.document.name));
    return [resource.meta, parseProjection(groupType, projection)(resource)];
  },
};

/** A group that was read in the pool. */
export interface PooledGroup {
  readonly meta: ScimResource;
  /** The resource as it is asked for. It can be long, and is not parsed again. */
  readonly text: string;
}

/** @throws ProblemError as the query is refused */
async function pooledGroup(
  pool: QueryPool,
  { caller, base }: ScimRequest,
  id: string,
  { attributes, excludedAttributes }: Projection,
): Promise<PooledGroup> {
  const task: GroupQueryTask = { kind: 'scim_group', id, base, projection: { attributes, excludedAttributes } };
  const answer = await pool.run(queryOf(caller, task));
  if (!answer.ok) throw new ProblemError(problemOf(answer));
  const { text } = answer;
  const end = text.indexOf('},{') + 1; // `meta` is an object of texts: it has no other object in it, nor behind it
  return { meta: JSON.parse(text.slice(1, end)) as ScimResource, text: text.slice(end + 1, -1) };
}

/** A group with its members that is so large that it is read in the pool; `undefined` where it is read here. */
export async function pooledIfLarge(
  { engine, queryPool }: Pick<ScimDependencies, 'engine' | 'queryPool'>,
  request: ScimRequest,
  id: string,
  projection: Projection,
): Promise<PooledGroup | undefined> {
  const isWanted = showsAny(groupType, parseProjection(groupType, projection), 'members');
  return isWanted && isLargeGroup(engine, request, id) ? pooledGroup(queryPool, request, id, projection) : undefined;
}

/** Whether a group has so many members that others would wait while it is read. */
export function isLargeGroup(engine: Pick<Engine, 'read'>, { caller }: ScimRequest, id: string): boolean {
  const { store } = caller.organization;
  return engine.read(() => {
    const entry = isId(id) ? groupRecords.get(store, id) : undefined;
    return entry !== undefined && isLarge(store, entry);
  });
}
