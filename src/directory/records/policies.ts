import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { agentActor } from './subjects/agents.ts';
import { userActor } from './subjects/users.ts';

/** Of those who make requests. */
export const policyActors = [userActor.type, agentActor.type] as const;

/**
 * Attribute policies of an organization. The engine's object is `policy:{id}`. The grants of a policy are tuples alone.
 * Its condition stands here and, while it is enabled, in the tuples that say to whom it applies: one command writes
 * both. Times are in milliseconds.
 */
export const policyRecords = defineRecord({
  collection: 'policies',
  holds: 'an attribute policy, with its condition',
  schema: z.strictObject({
    name: z.string(),
    description: z.string(),
    appliesTo: z.array(z.enum(policyActors)).readonly(),
    /** CEL over `subject`, `resource`, `environment` and `now`. */
    condition: z.string(),
    enabled: z.boolean(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  unique: ({ name }) => ({ name: name.toLowerCase() }),
  exported: (document) => document,
});

export type PolicyRecord = DocumentOf<typeof policyRecords>;
export type PolicyEntry = RecordEntry<PolicyRecord>;

export function policyObject(id: string): string {
  return `policy:${id}`;
}
