import { z } from 'zod';
import {
  descriptionSchema,
  idSchema,
  nameSchema,
  permissionReference,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { policyActors } from '../records/index.ts';
import { policySchema } from './policy-view.ts';

const EXPRESSION_MAX = 4096;
const PERMISSIONS_MAX = 100;
const ATTRIBUTES_MAX = 200;

const unique = (values: readonly (string | number)[]): boolean => new Set(values).size === values.length;

export const conditionSchema = z
  .string()
  .min(1)
  .max(EXPRESSION_MAX)
  .describe('CEL over `subject`, `resource`, `environment` (maps of attributes) and `now`');
const permissions = z
  .array(permissionReference)
  .min(1)
  .max(PERMISSIONS_MAX)
  .refine(unique, 'must not contain duplicates')
  .describe('Numbers or slugs');
const appliesTo = z
  .array(z.enum(policyActors))
  .min(1)
  .max(policyActors.length)
  .refine(unique, 'must not contain duplicates');

const whole = {
  name: nameSchema,
  description: descriptionSchema.default(''),
  permissions,
  appliesTo: appliesTo.default(['user']),
  condition: conditionSchema,
  enabled: z.boolean().default(true),
};

export const newPolicyBody = z.strictObject(whole);
export const replacedPolicyBody = writableBody(whole, policySchema);
export const changedPolicyBody = writableBody(
  {
    name: nameSchema.optional(),
    description: descriptionSchema.optional(),
    permissions: permissions.optional(),
    appliesTo: appliesTo.optional(),
    condition: conditionSchema.optional(),
    enabled: z.boolean().optional(),
  },
  policySchema,
);

const attributes = z
  .record(z.string().min(1).max(256), z.unknown())
  .refine((value) => Object.keys(value).length <= ATTRIBUTES_MAX, `at most ${ATTRIBUTES_MAX} attributes`)
  .optional();

export const trialFields = {
  userId: idSchema
    .describe('Whose attributes on record to use: id, number or email address; needs `users.read`')
    .optional(),
  subject: attributes,
  resource: attributes,
  environment: attributes,
};
