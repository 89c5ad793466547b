import type { Change, Store } from '#engine';
import { parseProjection } from '../../documents/projection.ts';
import type { ScimResource } from '../../documents/scim-resource.ts';
import { isShown } from '../../endpoints/resource-endpoints.ts';
import { groupResource, memberIds } from '../../groups/group-resource.ts';
import { projectionQuery } from '../../lists/list-parameters.ts';
import { operationsOn, type ScimOperations } from '../../service/operations.ts';
import type { ScimDependencies } from '../../service/scim-dependencies.ts';
import type { ScimRequest } from '../../service/scim-request.ts';
import { userResource } from '../../users/user-resource.ts';
import type { AskedOperation } from '../asked-operation.ts';
import { dryRun } from './dry-run.ts';
import { foreseen, type Plan, planOf } from './foreseen.ts';
import { type Outcome, refusalOf } from './outcome.ts';

/** What a change would answer, and what it would change. @param note is told of the changes that would be committed */
export async function tryChange(
  dependencies: ScimDependencies,
  request: ScimRequest,
  asked: AskedOperation,
  body: unknown,
  note?: (changes: readonly Change[]) => void,
): Promise<Outcome> {
  const { type, id, parameters } = asked;
  const { store } = request.caller.organization;
  try {
    const project = parseProjection(operationsOn(type, dependencies).type, projectionQuery.parse(parameters));
    const changes = await dryRun(dependencies, (dry) => run(operationsOn(type, dry), request, asked, body));
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

function run(
  operations: ScimOperations,
  request: ScimRequest,
  { method, id = '' }: AskedOperation,
  body: unknown,
): Promise<unknown> {
  switch (method) {
    case 'POST':
      return operations.create(request, body);
    case 'PUT':
      return operations.replace(request, id, body);
    case 'PATCH':
      return operations.patch(request, id, body);
    default:
      return operations.remove(request, id);
  }
}

function statusOf(
  dependencies: ScimDependencies,
  request: ScimRequest,
  { method, type, parameters }: AskedOperation,
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
