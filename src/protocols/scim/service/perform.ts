import { problemFromError } from '../../../http/index.ts';
import type { BulkOperation, Perform, Performed } from '../bulk/bulk-operation.ts';
import { versionIn } from '../documents/resource-meta.ts';
import { scimErrorBody } from '../errors/render-scim.ts';
import { groupOperations, type ReadChanged, type ScimOperations, userOperations } from './operations.ts';
import type { ScimDependencies } from './scim-dependencies.ts';
import type { ScimRequest } from './scim-request.ts';

/** Operations by themselves: each is one commit, and what the client did wrong is an answer. */
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
      return performed(201, (await operations.create(request, data))());
    case 'PUT':
      return changed(operations, request, id, await operations.replace(request, id, data));
    case 'PATCH':
      return changed(operations, request, id, await operations.patch(request, id, data));
    case 'DELETE':
      await operations.remove(request, id);
      return { status: 204, location: locationOf(operations, request, id) };
  }
}

/** The version of a group stands for all of its members, which are not read for this. */
function changed(operations: ScimOperations, request: ScimRequest, id: string, read: ReadChanged): Performed {
  if (operations.type.name === 'User') return performed(200, read());
  return { status: 200, id, location: locationOf(operations, request, id) };
}

function locationOf({ type }: ScimOperations, { base }: ScimRequest, id: string): string {
  return `${base}${type.endpoint}/${id}`;
}

function performed(status: number, resource: Readonly<Record<string, unknown>>): Performed {
  const { location } = resource.meta as { readonly location: string };
  const version = versionIn(resource);
  return { status, id: String(resource.id), location, ...(version === undefined ? {} : { version }) };
}
