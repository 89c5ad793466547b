import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';

/**
 * What a user lets an agent do in the user's name, at most. It gives nothing by itself: user and agent must both hold
 * what is done. Times are in milliseconds.
 */
export const delegationRecords = defineRecord({
  collection: 'delegations',
  holds: 'what a user lets an agent do in their name, at most',
  schema: z.strictObject({
    userId: z.string(),
    agentId: z.string(),
    /** Slugs of permissions. */
    scopes: z.array(z.string()).readonly(),
    /** Objects (`type:id`); absent: all. */
    resources: z.array(z.string()).readonly().exactOptional(),
    createdAt: z.number(),
    expiresAt: z.number(),
  }),
  indexes: ({ userId, agentId }): Keys => ({ user: userId, agent: agentId }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
  userKey: { index: 'user' },
  exported: (document) => document,
});

export type DelegationRecord = DocumentOf<typeof delegationRecords>;
export type DelegationEntry = RecordEntry<DelegationRecord>;
