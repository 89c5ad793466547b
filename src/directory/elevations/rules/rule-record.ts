import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { idSchema, nameSchema, writableBody } from '../../../kernel/transactions/index.ts';
import { conditionSchema } from '../../policies/index.ts';

export const ruleEffects = ['approve', 'deny'] as const;

/** Rules of an organization: each is looked at when an agent asks. */
export const RULES_MAX = 100;

/** Rules by which an organization decides about tasks of agents by itself. Times are in milliseconds. */
export const ruleRecords = defineRecord({
  collection: 'jit_rules',
  holds: 'a rule by which tasks of agents are approved or denied without a person',
  schema: z.strictObject({
    name: z.string(),
    effect: z.enum(ruleEffects),
    /** Ids of agents; absent: all. */
    agents: z.array(z.string()).readonly().exactOptional(),
    /** Slugs of permissions, or their beginnings with `*` behind them. */
    scopes: z.array(z.string()).readonly(),
    /** The longest time that it approves. */
    maxSeconds: z.int().exactOptional(),
    /** CEL over `subject`, the agent, `resource`, the task, and `now`. */
    condition: z.string().exactOptional(),
    /** Of one that approves: whose rights are lent where nobody has delegated to the agent. */
    lenderId: z.string().exactOptional(),
    /** Rules with a lower number are asked first. */
    order: z.int(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
  exported: (document) => document,
});

export type RuleRecord = DocumentOf<typeof ruleRecords>;
export type RuleEntry = RecordEntry<RuleRecord>;

/** In the order in which they are asked. To be called inside `Engine.read`. */
export function rulesOf(store: Store): RuleEntry[] {
  const all = [...ruleRecords.all(store)];
  return all.sort((left, right) => left.document.order - right.document.order || (left.id < right.id ? -1 : 1));
}

/** Whether a scope is one of some slugs and patterns (`docs:*`). */
export function coversScope(patterns: readonly string[], slug: string): boolean {
  return patterns.some((pattern) => (isPattern(pattern) ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern));
}

export function isPattern(scope: string): boolean {
  return scope.endsWith('*');
}

const SCOPES_MAX = 50;
const AGENTS_MAX = 100;
const DAY_S = 86_400;
const ORDER_MAX = 10_000;

const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

const scope = z
  .string()
  .max(129)
  .regex(
    /^(?:\*|[A-Za-z0-9][A-Za-z0-9._:-]{0,127}\*?)$/,
    'must be the slug of a permission, the beginning of slugs with * behind it, or *',
  );

const fields = {
  name: nameSchema,
  effect: z.enum(ruleEffects),
  agents: z
    .array(idSchema)
    .min(1)
    .max(AGENTS_MAX)
    .refine(unique, 'must not contain duplicates')
    .nullable()
    .default(null)
    .describe('Ids of the agents that it is for; null: all'),
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES_MAX)
    .refine(unique, 'must not contain duplicates')
    .describe('Slugs of permissions, or `docs:*` for all that begin so'),
  maxSeconds: z
    .int()
    .min(1)
    .max(DAY_S)
    .nullable()
    .default(null)
    .describe('The longest time that it approves: needed there, and there alone'),
  condition: conditionSchema
    .nullable()
    .default(null)
    .describe('CEL over `subject` (the agent), `resource` (the task) and `now`; null: always'),
  lenderId: idSchema
    .nullable()
    .default(null)
    .describe(
      'Of one that approves: the user whose rights are lent, where nobody has delegated to the agent: id, number or ' +
        'email address',
    ),
  order: z.int().min(0).max(ORDER_MAX).default(0).describe('Rules with a lower number are asked first'),
};

export const ruleSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  effect: z.enum(ruleEffects),
  agents: z.array(z.string()).nullable(),
  scopes: z.array(z.string()),
  maxSeconds: z.int().nullable(),
  condition: z.string().nullable(),
  lenderId: z.string().nullable(),
  order: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const newRuleBody = z.strictObject(fields);
export const replacedRuleBody = writableBody(fields, ruleSchema);

export type RuleBody = z.output<typeof newRuleBody>;
