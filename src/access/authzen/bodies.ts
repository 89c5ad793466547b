import { z } from 'zod';
import { reasonSchema } from '../../directory/elevations/index.ts';
import { resourceSchema as objectSchema } from '../decisions/index.ts';

const NAME_MAX = 254;
const TEXT_MAX = 1024;
const APPROVAL_MAX = 128;

const properties = z.record(z.string().min(1).max(256), z.unknown());
const entity = objectSchema.extend({ properties: properties.optional() });

export const subjectSchema = entity.describe('`user`, `agent` or any other type; `properties` are attributes');
export const resourceSchema = entity;
const actionSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(NAME_MAX)
    .describe('The action of a permission `type:action`, or a relation of the resource'),
  properties: properties.optional(),
});
export const contextSchema = properties.describe(
  'Values for conditions; supplying them needs `authz:check`. `approval` is that of an approved access request',
);

/** What an approved request is told by, in the context of an evaluation; a `state` of another form was not made here. */
export const approvalSchema = z.looseObject({ id: z.string().min(1).max(APPROVAL_MAX), state: z.unknown().optional() });

export const evaluationSchema = z.strictObject({
  subject: subjectSchema,
  action: actionSchema,
  resource: resourceSchema,
  context: contextSchema.optional(),
});
export type Evaluation = z.output<typeof evaluationSchema>;

export const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;

/** Many, where what they share stands beside them. */
export function evaluationsSchema(max: number) {
  return z.strictObject({
    subject: subjectSchema.optional(),
    action: actionSchema.optional(),
    resource: resourceSchema.optional(),
    context: contextSchema.optional(),
    evaluations: z.array(evaluationSchema.partial()).max(max).optional(),
    options: z.strictObject({ evaluations_semantic: z.enum(semantics).optional() }).optional(),
  });
}
export type Evaluations = z.output<ReturnType<typeof evaluationsSchema>>;

export const evaluatedSchema = z.strictObject({
  decision: z.boolean(),
  context: z
    .looseObject({
      reason: z.string().optional(),
      missing: z.array(z.string()).optional().describe('Names of context that conditions lacked'),
      evaluation_id: z.string().optional(),
      evaluated_at: z.string().optional(),
      access_request: z
        .strictObject({ endpoint: z.string(), expires_at: z.string(), binding_token: z.string() })
        .optional()
        .describe('Where what was denied can be asked for'),
      next_action: z.enum(['request', 'retry', 'none']).optional(),
      approval: z.strictObject({ id: z.string(), approved_until: z.string() }).optional(),
    })
    .optional(),
});
export type Evaluated = z.output<typeof evaluatedSchema>;

const actorSchema = z.looseObject({
  id: z.string().min(1).max(TEXT_MAX),
  issuer: z.string().max(2048).optional(),
  act: z.unknown().optional(),
});

export const requestSchema = z.strictObject({
  subject: subjectSchema,
  action: actionSchema,
  resource: resourceSchema,
  context: properties.optional().describe('`business_justification` is shown to whoever decides'),
  denial: z.strictObject({
    binding_token: z.string().min(1).max(4096).optional(),
    evaluation_id: z.string().max(128).optional(),
    evaluated_at: z.iso.datetime({ offset: true }).optional(),
    expires_at: z.iso.datetime({ offset: true }),
    reason: z.string().max(256).optional(),
    template: z.string().max(256).optional(),
  }),
  requested_access: z
    .looseObject({ requested_until: z.iso.datetime({ offset: true }).optional() })
    .describe('`requested_until`: the end that is asked for')
    .optional(),
  client: z
    .looseObject({
      id: z.string().max(256).optional(),
      name: z.string().max(256).optional(),
      actor: actorSchema.optional().describe('Who acts for the subject: no other than the agent that asks'),
    })
    .optional(),
});

export const cancellationSchema = z.strictObject({
  reason: reasonSchema.optional().describe('A code'),
  comment: reasonSchema.optional().describe('For the audit log'),
});
export type AccessRequest = z.output<typeof requestSchema>;
