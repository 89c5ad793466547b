import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

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
