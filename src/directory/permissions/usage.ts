import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json } from '../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase } from '../../kernel/organizations/index.ts';
import type { ResourceEndpointDependencies } from '../../kernel/resources/index.ts';
import { existing } from '../../kernel/transactions/index.ts';
import { findRole, getUser, permissionNamed } from '../records/index.ts';
import { countRoles, countUsers, permissionGrants } from './permission-view.ts';

/** How many roles and users are shown; the counts are of all. */
const SHOWN_MAX = 100;

const text = z.string().nullable();

/** specification, Permission usage object. */
export const usageSchema = z.strictObject({
  roles: z.array(z.strictObject({ id: text, name: z.string(), slug: z.string() })).describe(`The first ${SHOWN_MAX}`),
  users: z
    .array(z.strictObject({ id: z.string(), email: text, name: text }))
    .describe(
      `The first ${SHOWN_MAX} of those who have it by themselves, and not through a role; unnamed without users.read`,
    ),
  roleCount: z.int(),
  userCount: z.int(),
});

/**
 * Who has a permission, of which the first are named: users with email and name where the asker may read users. To be
 * called inside a snapshot.
 */
export function usageOf(store: Store, slug: string, mayReadUsers: boolean): z.output<typeof usageSchema> {
  const page = { ...permissionGrants(slug), offset: 0, limit: SHOWN_MAX };
  const roles = store.subjectPage({ ...page, subjectType: 'role', subjectRelation: 'assignee' });
  const users = store.subjectPage({ ...page, subjectType: 'user' });
  return {
    roles: roles.map((role) => {
      const entry = findRole(store, role);
      return { id: entry?.id ?? null, name: entry?.document.name ?? role, slug: role };
    }),
    users: users.map((id) => {
      const { email = null, name = null } = (mayReadUsers ? getUser(store, id)?.document : undefined) ?? {};
      return { id, email, name };
    }),
    roleCount: countRoles(store, slug),
    userCount: countUsers(store, slug),
  };
}

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
        const { slug } = existing(permissionNamed(store, params.permissionId)).document;
        return json(200, singleAnswer(usageOf(store, slug, caller.may('users.read')), family));
      });
    },
  });
}
