import { type Task, type TaskHandler, type TaskQueue, taskAnswer } from '../../../kernel/tasks/index.ts';
import { changedGroup, groupOperations, type ScimOperations } from '../service/operations.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
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
      const read = await operations.create(request, body);
      return { id: read().id };
    },
  };
}

/** Operations of groups for the thread of an acceptor, which does not wait for those that name many members. */
export function acceptedGroupOperations(dependencies: ScimDependencies, tasks: TaskQueue): ScimOperations {
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
      namesMany(body) ? elsewhere(request, 'replace', id, body) : here.replace(request, id, body),
    patch: (request, id, body) =>
      namesMany(body) ? elsewhere(request, 'patch', id, body) : here.patch(request, id, body),
  };
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
