import { z } from 'zod';
import type { Store } from '#engine';
import { slugSchema } from '../../kernel/organizations/index.ts';
import { idSchema } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { agentRecords, type DelegationEntry } from '../records/index.ts';

const SCOPES_MAX = 100;
const RESOURCES_MAX = 100;
const RESOURCE_LENGTH_MAX = 512;

export const newDelegationBody = z.strictObject({
  agentId: idSchema.describe('Who may act for the user'),
  scopes: z.array(slugSchema).min(1).max(SCOPES_MAX).describe('Slugs of permissions: the agent may no more than these'),
  resources: z
    .array(z.string().min(3).max(RESOURCE_LENGTH_MAX))
    .min(1)
    .max(RESOURCES_MAX)
    .describe('Objects (`type:id`) beyond which it does not reach; all if omitted')
    .optional(),
  expiresAt: z.iso.datetime({ offset: true }).describe('At most 90 days from now; 30 if omitted').optional(),
});
export type NewDelegation = z.output<typeof newDelegationBody>;

export const delegationSchema = z.strictObject({
  id: z.string().describe('The agent exchanges it for a token'),
  userId: z.string(),
  agentId: z.string(),
  agentName: z.string().nullable().describe('Null where the agent is gone'),
  scopes: z.array(z.string()),
  resources: z.array(z.string()).nullable().describe('Null: all'),
  createdAt: z.string(),
  expiresAt: z.string(),
});

/** To be called inside a snapshot. */
export function delegationView(store: Store, { id, document }: DelegationEntry): z.output<typeof delegationSchema> {
  const { userId, agentId, scopes, resources, createdAt, expiresAt } = document;
  return {
    id,
    userId,
    agentId,
    agentName: agentRecords.get(store, agentId)?.document.name ?? null,
    scopes: [...scopes],
    resources: resources === undefined ? null : [...resources],
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
  };
}
