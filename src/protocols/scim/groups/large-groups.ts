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
import { type Task, type TaskHandler, type TaskQueue, taskAnswer } from '../../../kernel/tasks/index.ts';
import { attributeOf } from '../bulk/read-bulk.ts';
import { type Projection, parseProjection, showsAny } from '../documents/projection.ts';
import { isId, isObject, type ScimResource } from '../documents/scim-resource.ts';
import { groupType } from '../schema/group-type.ts';
import { changedGroup, groupOperations, type ScimOperations } from '../service/operations.ts';
import { existingRecord } from '../service/requirements.ts';
import type { ScimDependencies, ScimRequest } from '../service/scim-request.ts';
import { groupResource, isLarge, LARGE_FROM, memberIds } from './group-resource.ts';

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
interface PooledGroup {
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
function isLargeGroup(engine: Pick<Engine, 'read'>, { caller }: ScimRequest, id: string): boolean {
  const { store } = caller.organization;
  return engine.read(() => {
    const entry = isId(id) ? groupRecords.get(store, id) : undefined;
    return entry !== undefined && isLarge(store, entry);
  });
}

/** A change of a group that names many members. */
interface GroupTask extends Task {
  readonly kind: 'scim_group';
  readonly method: 'create' | 'replace' | 'patch';
  /** `''` where it is created. */
  readonly id: string;
  readonly body: unknown;
  readonly base: string;
  readonly ifMatch?: string | undefined;
}

/** Changes of large groups, in the thread of tasks. Answers the id. */
export function groupTaskHandler({ people }: { readonly people: ScimDependencies }): TaskHandler<GroupTask> {
  return {
    kind: 'scim_group',
    // the operation asks for what it needs
    permission: undefined,
    async perform({ caller, facts }, { method, id, body, base, ifMatch }) {
      const operations = groupOperations(people);
      const request: ScimRequest = { caller, facts, base, ifMatch };
      if (method !== 'create') {
        await operations[method](request, id, body);
        return { id };
      }
      return { id: (await operations.create(request, body)).id };
    },
  };
}

/** Operations of groups for the thread of an acceptor, which does not wait for those that are about many members. */
export function acceptedGroupOperations(dependencies: ScimDependencies, tasks: TaskQueue): ScimOperations {
  const { engine } = dependencies;
  const here = groupOperations(dependencies);
  const elsewhere = async (request: ScimRequest, method: GroupTask['method'], id: string, body: unknown) => {
    const { caller, facts, base, ifMatch } = request;
    const task: GroupTask = { kind: 'scim_group', method, id, body, base, ifMatch };
    const answer = (await taskAnswer(tasks, { ...facts, caller }, task)) as { readonly id: string };
    return changedGroup(dependencies, request, answer.id);
  };
  return {
    ...here,
    create: (request, body) => (namesMany(body) ? elsewhere(request, 'create', '', body) : here.create(request, body)),
    replace: (request, id, body) =>
      namesMany(body) || isLargeGroup(engine, request, id)
        ? elsewhere(request, 'replace', id, body)
        : here.replace(request, id, body),
    patch: (request, id, body) =>
      namesMany(body) || (concernsAll(request, body) && isLargeGroup(engine, request, id))
        ? elsewhere(request, 'patch', id, body)
        : here.patch(request, id, body),
  };
}

/** Whether a change looks at all members that there are: few words can take all of them out. */
function concernsAll({ ifMatch }: ScimRequest, body: unknown): boolean {
  const operations = isObject(body) ? attributeOf(body, 'Operations') : undefined;
  return ifMatch !== undefined || (Array.isArray(operations) && operations.some((each) => !isOfSome(each)));
}

function isOfSome(operation: unknown): boolean {
  if (!isObject(operation)) return true; // refused at once
  const [op, path, value] = ['op', 'path', 'value'].map((name) => attributeOf(operation, name));
  if (String(op).toLowerCase() === 'add') return true;
  return String(op).toLowerCase() === 'remove' && (value !== undefined || String(path).includes('['));
}

/** Whether lists anywhere in a body have more values together than one request may keep others waiting for. */
function namesMany(body: unknown): boolean {
  let values = 0;
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || values > LARGE_FROM) return;
    if (Array.isArray(value)) values += value.length;
    for (const each of Object.values(value)) count(each);
  };
  count(body);
  return values > LARGE_FROM;
}
