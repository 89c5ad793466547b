import { problem } from '../../../../http/index.ts';
import type { Caller } from '../../../../kernel/organizations/index.ts';
import { problemOf, requestOf as queryOf } from '../../../../kernel/queries/index.ts';
import { parseProjection } from '../../documents/projection.ts';
import { listQuery, projectionQuery, readListQuery } from '../../lists/list-parameters.ts';
import { listTask } from '../../lists/list-task.ts';
import { operationsOn } from '../../service/operations.ts';
import type { ScimDependencies } from '../../service/scim-dependencies.ts';
import type { ScimRequest } from '../../service/scim-request.ts';
import type { AskedOperation } from '../asked-operation.ts';
import { type Outcome, refusal, refusalOf } from './outcome.ts';

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
