import { type Endpoint, endpointFor, json, problem } from '../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../kernel/organizations/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import { permissionNamed } from '../records/index.ts';
import { usageOf, usageSchema } from './usage.ts';

const endpoint = endpointFor<Caller>();

/** Who has a permission, and by which roles. */
export function usageEndpoint(dependencies: ResourceEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/permissions/{permissionId}/usage`,
    summary: 'List the roles and users with a permission',
    description: 'The counts are of all; the first hundred of each are named.',
    tags: ['Permissions'],
    access: { permission: 'permissions.read' },
    responses: { 200: singleSchema(usageSchema) },
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'permissions.read', () => {
        const { store } = caller.organization;
        const entry = permissionNamed(store, params.permissionId);
        if (entry === undefined) return problem('not_found');
        return json(200, singleAnswer(usageOf(store, entry.document.slug, caller.may('users.read')), family));
      });
    },
  });
}
