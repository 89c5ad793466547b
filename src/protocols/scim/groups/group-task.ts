import { type Task, type TaskHandler, type TaskQueue, taskAnswer } from '../../../kernel/tasks/index.ts';
import { attributeOf, isObject } from '../bulk/read-operation.ts';
import { changedGroup, groupOperations, type ScimOperations } from '../service/operations.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { isLargeGroup } from './group-query.ts';
import { LARGE_FROM } from './group-resource.ts';

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
    const call = { ...facts, caller };
    const task: GroupTask = {
      kind: 'scim_group',
      method,
      id,
      body,
      base,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    };
    const answer = (await taskAnswer(tasks, call, task)) as { readonly id: string };
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
