import { z } from 'zod';
import { defineRecord } from '../../kernel/records/index.ts';

/** When agents were last used, by key or to get a token, each with the agent's id: apart from their own records, as of keys. */
export const agentUseRecords = defineRecord({
  collection: 'agent_uses',
  holds: 'when an agent was last used',
  /** In milliseconds. */
  schema: z.strictObject({ lastUsedAt: z.number() }),
});
