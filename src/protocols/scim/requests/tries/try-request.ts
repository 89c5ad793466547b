import type { Change, Store } from '#engine';
import { problem } from '../../../../http/index.ts';
import type { Caller } from '../../../../kernel/organizations/index.ts';
import { problemOf, requestOf as queryOf } from '../../../../kernel/queries/index.ts';
import { parseProjection } from '../../documents/projection.ts';
import type { ScimResource } from '../../documents/scim-resource.ts';
import { isShown } from '../../endpoints/resource-endpoints.ts';
import { groupResource, memberIds } from '../../groups/group-resource.ts';
import { listQuery, projectionQuery, readListQuery } from '../../lists/list-parameters.ts';
import { listTask } from '../../lists/list-task.ts';
import { operationsOn } from '../../service/operations.ts';
import { perform } from '../../service/perform.ts';
import type { ScimDependencies, ScimRequest } from '../../service/scim-request.ts';
import { userResource } from '../../users/user-resource.ts';
import type { AskedChange, AskedOperation } from '../asked-operation.ts';
import { dryRun } from './dry-run.ts';
import { foreseen, type Outcome, type Plan, planOf, refusal, refusalOf } from './outcome.ts';

/** What a GET would answer. @param caller who asks: lists are read with the rights of that caller */
export async function tryRead(
  dependencies: ScimDependencies,
  caller: Caller,
  request: ScimRequest,
  asked: AskedOperation,
): Promise<Outcome> {
  const { type, id, parameters } = asked;
  const { engine, queryPool } = dependencies;
  const operations = operationsOn(type, dependencies);
  try {
    if (id !== undefined) {
      const project = parseProjection(operations.type, projectionQuery.parse(parameters));
      const resource = engine.read(() => operations.read(request, id));
      return { status: 200, response: { ...project(resource) }, changes: [] };
    }
    const query = listQuery.safeParse(parameters);
    if (!query.success) return refusal(problem('invalid_request', 'A parameter is too long.'));
    const task = listTask([operations.type], readListQuery(query.data), request.base);
    const answer = await queryPool.run(queryOf(caller, task));
    if (!answer.ok) return refusal(problemOf(answer));
    return { status: 200, response: JSON.parse(answer.text) as Record<string, unknown>, changes: [] };
  } catch (error) {
    return refusalOf(error, asked);
  }
}

/** What a change would answer, and what it would change. @param note is told of the changes that would be committed */
export async function tryChange(
  dependencies: ScimDependencies,
  request: ScimRequest,
  asked: AskedChange,
  body: unknown,
  note?: (changes: readonly Change[]) => void,
): Promise<Outcome> {
  const { method, type, id, parameters } = asked;
  const { store } = request.caller.organization;
  try {
    const project = parseProjection(operationsOn(type, dependencies).type, projectionQuery.parse(parameters));
    const changes = await dryRun(dependencies, (dry) => perform(operationsOn(type, dry), request, method, id, body));
    const outcome = dependencies.engine.read((): Outcome => {
      const plan = planOf(store, changes);
      const told = plan && foreseen(changes, plan);
      const status = statusOf(dependencies, request, asked);
      const stands = (): ScimResource => operationsOn(type, dependencies).read(request, id ?? '');
      const resource = status === 204 ? undefined : (resourceAfter(store, request.base, plan) ?? stands());
      const response = resource === undefined ? null : { ...project(resource) };
      return { status, response, changes: told === undefined ? [] : [told] };
    });
    note?.(changes);
    return outcome;
  } catch (error) {
    return refusalOf(error, asked);
  }
}

function statusOf(
  dependencies: ScimDependencies,
  request: ScimRequest,
  { method, type, parameters }: AskedChange,
): number {
  if (method === 'DELETE') return 204;
  if (method === 'PATCH' && !isShown(dependencies, request, type, parameters)) return 204;
  return method === 'POST' ? 201 : 200;
}

/** As it would stand after the commit; `undefined` where there is nothing to commit. */
function resourceAfter(store: Store, base: string, plan: Plan | undefined): ScimResource | undefined {
  const user = plan?.user?.after;
  if (user !== undefined) return userResource(store, user, base);
  const group = plan?.group;
  if (group?.after === undefined) return undefined;
  const ids = new Set(group.before === undefined ? [] : memberIds(store, group.before.document.name));
  for (const each of plan?.removed ?? []) ids.delete(each);
  for (const each of plan?.added ?? []) ids.add(each);
  return groupResource(store, group.after, base, [...ids]);
}
