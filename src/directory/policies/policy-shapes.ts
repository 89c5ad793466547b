import { z } from 'zod';
import type { Store } from '#engine';
import {
  descriptionSchema,
  idSchema,
  nameSchema,
  permissionReference,
  writableBody,
} from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { type PolicyEntry, policyActors, slugsOf } from '../records/index.ts';

export const policySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  permissions: z.array(z.string()).describe('Slugs of what it grants'),
  appliesTo: z.array(z.enum(policyActors)),
  condition: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type PolicyView = z.output<typeof policySchema>;

/** To be called inside a snapshot. */
export function policyView(store: Store, { id, document }: PolicyEntry): PolicyView {
  const { name, description, appliesTo, condition, enabled, createdAt, updatedAt } = document;
  return {
    id,
    name,
    description,
    permissions: slugsOf(store, policyApplies(id), 'permission'),
    appliesTo: [...appliesTo],
    condition,
    enabled,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** Those to whom it applies, as a subject. */
export function policyApplies(id: string): string {
  return `policy:${id}#applies`;
}

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
