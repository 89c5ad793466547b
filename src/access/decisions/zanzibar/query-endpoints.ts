import { z } from 'zod';
import { type Endpoint, endpointFor } from '../../../http/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { decisionSchema, revision } from '../checks/decision-reply.ts';
import { queryReply } from '../checks/endpoints.ts';
import { itemResultSchema } from '../checks/item-error.ts';
import { decisionErrors, questionEndpoints } from '../checks/question-endpoints.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import {
  expandBody,
  fastRelationCheck,
  listObjectsBody,
  listSubjectsBody,
  relationCheckBody,
  scanRelationCheck,
  scanRelationChecks,
} from './bodies.ts';
import { checkRelation, checkRelations } from './relation-checks.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Relationships'];
const cursor = z.string().optional().describe('Where the next page begins; absent on the last one');
const names = z.array(z.string());
const explanation = z
  .unknown()
  .optional()
  .describe('As `POST /zanzibar/check` explains; absent where it passes 1,000 steps');
const listErrors = [...decisionErrors, 'invalid_cursor'] as const;
const order =
  'Complete, page by page, in a stable order that is not alphabetical. A page may be short: only one without `cursor` is the last.';

/** Questions about relations, in both families. */
export function relationEndpoints(dependencies: AuthzDependencies): Endpoint[] {
  return inBothFamilies((base) => [
    ...questionEndpoints({
      path: `${base}/zanzibar/check`,
      tags,
      one: {
        summary: 'Check a relation',
        body: relationCheckBody,
        decision: decisionSchema,
        fast: fastRelationCheck,
        scan: scanRelationCheck,
        answer: (caller, body) => checkRelation(dependencies, caller, body),
      },
      many: {
        summary: 'Check many relations',
        max: dependencies.limits.checkBulk,
        result: itemResultSchema,
        item: 'Each as `POST /zanzibar/check` takes it, or the text `object#relation@subject`',
        scan: scanRelationChecks(dependencies.limits.checkBulk),
        answer: (caller, body) => checkRelations(dependencies, caller, body),
      },
    }),
    ...listEndpoints(dependencies, base),
  ]);
}

function listEndpoints(dependencies: AuthzDependencies, base: FamilyBase): Endpoint[] {
  const { pageSize } = dependencies.limits;
  const usual = { method: 'POST', tags, access: { permission: 'tuples.read' } } as const;
  return [
    endpoint({
      ...usual,
      path: `${base}/zanzibar/list-objects`,
      summary: 'List objects that a subject is related to',
      description: order,
      body: listObjectsBody(pageSize),
      responses: {
        200: z.strictObject({
          objects: names,
          conditional: z.array(z.strictObject({ object: z.string(), missing: names })).optional(),
          cursor,
          revision,
        }),
      },
      errors: listErrors,
      handler: ({ caller, body }) => queryReply(dependencies, caller, { kind: 'list_objects', body }),
    }),
    endpoint({
      ...usual,
      path: `${base}/zanzibar/list-subjects`,
      summary: 'List subjects that are related to an object',
      description: `${order} With \`explain\`, who has access, and why. Suspended and disabled subjects are in no list.`,
      body: listSubjectsBody(pageSize),
      responses: {
        200: z.strictObject({
          subjects: names.describe('`type:*` stands for all who are named nowhere'),
          conditional: z.array(z.strictObject({ subject: z.string(), missing: names })).optional(),
          excluded: names
            .optional()
            .describe('Where asked for: denied by an exclusion or an intersection, although `type:*` is not'),
          explanations: z
            .array(z.strictObject({ subject: z.string(), explanation }))
            .optional()
            .describe('Where asked for: one for each subject of this page, of whichever list'),
          cursor,
          revision,
        }),
      },
      errors: listErrors,
      handler: ({ caller, body }) => queryReply(dependencies, caller, { kind: 'list_subjects', body }),
    }),
    endpoint({
      ...usual,
      path: `${base}/zanzibar/expand`,
      summary: 'Expand a relation by one level',
      description:
        'With `context`, tuples whose condition does not hold are left out. Those whose condition lacks context are named.',
      body: expandBody,
      responses: { 200: z.strictObject({ tree: z.unknown(), revision }) },
      errors: decisionErrors,
      handler: ({ caller, body }) => queryReply(dependencies, caller, { kind: 'expand', body }),
    }),
  ];
}
