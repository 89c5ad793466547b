import { problemFromError } from '../../../http/index.ts';
import type { BulkOperation, Perform, Performed } from '../bulk/bulk-operation.ts';
import { scimErrorBody } from '../errors/scim-errors.ts';
import { type Changed, groupOperations, type ScimOperations, userOperations } from './operations.ts';
import type { ScimDependencies, ScimRequest } from './scim-request.ts';

/** Performs single operations: each is one commit, and a client's fault is a result, not an error. */
export function performer(dependencies: ScimDependencies, request: ScimRequest): Perform {
  const operations = { '/Users': userOperations(dependencies), '/Groups': groupOperations(dependencies) };
  return async (operation) => {
    try {
      const ofOne = operation.version === undefined ? request : { ...request, ifMatch: operation.version };
      return await perform(operations[operation.endpoint], ofOne, operation);
    } catch (error) {
      const problem = problemFromError(error);
      if (problem === undefined) throw error;
      return { status: problem.kind.status, response: scimErrorBody(problem) };
    }
  };
}

async function perform(
  operations: ScimOperations,
  request: ScimRequest,
  { method, id = '', data }: BulkOperation,
): Promise<Performed> {
  switch (method) {
    case 'POST':
      return performed(201, operations, request, await operations.create(request, data));
    case 'PUT':
      return performed(200, operations, request, await operations.replace(request, id, data));
    case 'PATCH':
      return performed(200, operations, request, await operations.patch(request, id, data));
    case 'DELETE':
      await operations.remove(request, id);
      return { status: 204, location: locationOf(operations, request, id) };
  }
}

function performed(
  status: number,
  operations: ScimOperations,
  request: ScimRequest,
  { id, version }: Changed,
): Performed {
  const location = locationOf(operations, request, id);
  return { status, id, location, ...(version === undefined ? {} : { version: version() }) };
}

function locationOf({ type }: ScimOperations, { base }: ScimRequest, id: string): string {
  return `${base}${type.endpoint}/${id}`;
}
