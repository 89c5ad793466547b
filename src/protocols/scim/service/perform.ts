import { problemFromError } from '../../../http/index.ts';
import { type BulkMethod, type Perform, refusedBy } from '../bulk/bulk-operation.ts';
import { type Changed, groupOperations, type ScimOperations, userOperations } from './operations.ts';
import type { ScimDependencies, ScimRequest } from './scim-request.ts';

const statuses: Readonly<Record<BulkMethod, number>> = { POST: 201, PUT: 200, PATCH: 200, DELETE: 204 };

/** Performs single operations: each is one commit, and a client's fault is a result, not an error. */
export function performer(dependencies: ScimDependencies, request: ScimRequest): Perform {
  const operations = { '/Users': userOperations(dependencies), '/Groups': groupOperations(dependencies) };
  return async ({ method, endpoint, id, data, version }) => {
    const ofOne = { ...request, ifMatch: version };
    try {
      const changed = await perform(operations[endpoint], ofOne, method, id, data);
      return {
        status: statuses[method],
        id: changed?.id,
        location: `${request.base}${endpoint}/${changed?.id ?? id}`,
        version: changed?.version?.(),
      };
    } catch (error) {
      const problem = problemFromError(error);
      if (problem === undefined) throw error;
      return refusedBy(problem);
    }
  };
}

/** What a method stands for; nothing is left of what it deletes. */
export async function perform(
  operations: ScimOperations,
  request: ScimRequest,
  method: BulkMethod,
  id = '',
  body?: unknown,
): Promise<Changed | undefined> {
  switch (method) {
    case 'POST':
      return operations.create(request, body);
    case 'PUT':
      return operations.replace(request, id, body);
    case 'PATCH':
      return operations.patch(request, id, body);
    case 'DELETE':
      await operations.remove(request, id);
      return undefined;
  }
}
