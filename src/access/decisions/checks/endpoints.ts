import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { adminBounds, listSchema, pageParameters, readPage, searchText } from '../../../kernel/lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { queryReply as reply } from '../../../kernel/queries/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import type { DecisionTask } from '../queries/decision-task.ts';
import {
  abacBody,
  checkBody,
  fastCheckBody,
  manyBody,
  scanCheckBodies,
  scanCheckBody,
  subjectSchema,
} from './bodies.ts';
import { checkPermission, checkPermissions, sortPermissions } from './deciding.ts';
import { missing, permissionDecisionSchema, revision } from './decision-reply.ts';
import { permissionResultSchema } from './item-error.ts';
import { decisionErrors, questionEndpoints } from './question-endpoints.ts';
import { permissionProblems } from './unknown-permission.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Authorization checks'];

const permissionErrors = [permissionProblems.unknown_permission];
const unknown = z.array(z.string()).optional().describe('Permissions that nobody has defined');

const source = z.strictObject({
  type: z.enum(['direct', 'role', 'group', 'policy', 'jit', 'relationship']),
  id: z.string(),
});

/** `/authz/...` and `/abac/check`, in both families. */
export function checkEndpoints(dependencies: AuthzDependencies): Endpoint[] {
  return inBothFamilies((base) => [
    ...questionEndpoints({
      path: `${base}/authz/check`,
      tags,
      errors: permissionErrors,
      one: {
        summary: 'Check a permission',
        description:
          'With `resource`, whose type is that of the permission, `can_<action>` on the object counts too: the answer ' +
          'is the union. There are no deny policies: an exclusion in a model does not limit a permission that was granted.',
        body: checkBody,
        decision: permissionDecisionSchema,
        fast: fastCheckBody,
        scan: scanCheckBody,
        answer: (caller, body) => checkPermission(dependencies, caller, body),
      },
      many: {
        summary: 'Check many permissions',
        max: dependencies.limits.checkBulk,
        item: 'Each as `POST /authz/check` takes it',
        result: permissionResultSchema,
        scan: scanCheckBodies(dependencies.limits.checkBulk),
        answer: (caller, body) => checkPermissions(dependencies, caller, body),
      },
    }),
    ...manyEndpoints(dependencies, base),
    ...pooledEndpoints(dependencies, base),
  ]);
}

function manyEndpoints(dependencies: AuthzDependencies, base: FamilyBase): Endpoint[] {
  const names = z.array(z.string());
  const usual = {
    method: 'POST',
    tags,
    access: 'authenticated',
    body: manyBody(dependencies.limits.checkMany),
    errors: [...decisionErrors, ...permissionErrors],
  } as const;
  return [
    endpoint({
      ...usual,
      path: `${base}/authz/check-any`,
      summary: 'Check that at least one permission is held',
      responses: { 200: z.strictObject({ allowed: z.boolean(), matched: names, revision, missing, unknown }) },
      handler({ caller, body }) {
        const { held, missing, revision, unknown } = sortPermissions(dependencies, caller, body, 'held');
        const allowed = held.length > 0;
        const lists = present({ missing: allowed ? [] : missing, unknown });
        return json(200, { allowed, matched: held, revision, ...lists });
      },
    }),
    endpoint({
      ...usual,
      path: `${base}/authz/check-all`,
      summary: 'Check that all permissions are held',
      responses: { 200: z.strictObject({ allowed: z.boolean(), denied: names, revision, missing, unknown }) },
      handler({ caller, body }) {
        const { lacking, missing, revision, unknown } = sortPermissions(dependencies, caller, body, 'lacking');
        const allowed = lacking.length === 0;
        return json(200, { allowed, denied: lacking, revision, ...present({ missing, unknown }) });
      },
    }),
  ];
}

/** The lists that are not empty. */
function present<Lists extends Readonly<Record<string, string[]>>>(lists: Lists): Partial<Lists> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;
}

function pooledEndpoints(dependencies: AuthzDependencies, base: FamilyBase): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: `${base}/authz/permissions`,
      summary: 'List permissions, and where they come from',
      tags,
      access: 'authenticated',
      query: z.strictObject({
        ...pageParameters(adminBounds),
        search: searchText.optional(),
        subject: subjectSchema.describe('Naming another than the caller needs `authz:check`').optional(),
        sortBy: z.literal('permission').optional(),
        sortOrder: z.enum(['asc', 'desc']).optional(),
        sortDir: z.enum(['ASC', 'DESC']).optional(),
      }),
      responses: { 200: listSchema(z.strictObject({ permission: z.string(), sources: z.array(source) }), 'org') },
      errors: decisionErrors,
      async handler({ caller, query }) {
        const page = readPage(query, adminBounds);
        const descending = (query.sortDir ?? query.sortOrder ?? 'asc').toLowerCase() === 'desc';
        const { subject, search } = query;
        return queryReply(dependencies, caller, { kind: 'permissions', query: { subject, search, descending, page } });
      },
    }),
    endpoint({
      method: 'POST',
      path: `${base}/abac/check`,
      summary: 'Check a permission with attributes',
      description:
        'Policies see `subject`, `resource` and `environment` as maps of attributes. `sources` are all that grant it.',
      tags,
      access: 'authenticated',
      body: abacBody,
      responses: { 200: permissionDecisionSchema.extend({ sources: z.array(source) }) },
      errors: [...decisionErrors, ...permissionErrors],
      handler: ({ caller, body }) => queryReply(dependencies, caller, { kind: 'abac', body }),
    }),
  ];
}

/** What the caller may do, as `GET /authz/permissions` answers it: the first of them. */
export function ownPermissions(dependencies: AuthzDependencies, caller: Caller, search: string | undefined) {
  const page = readPage({ page: 1, limit: String(adminBounds.limitMax) }, adminBounds);
  const query = { subject: undefined, search, descending: false, page };
  return queryReply(dependencies, caller, { kind: 'permissions', query });
}

/** Hands a task to another thread and its answer to the caller. */
export async function queryReply(dependencies: AuthzDependencies, caller: Caller, task: DecisionTask) {
  const startedAt = performance.now();
  const answer = await reply(dependencies.queryPool, caller, task);
  dependencies.meter.record('list', startedAt, 1);
  return answer;
}
