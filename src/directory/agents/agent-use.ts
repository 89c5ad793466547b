import { lastUseSchema } from '../../kernel/commits/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';

/** When agents were last used, by key or to get a token, each with the agent's id. */
export const agentUseRecords = defineRecord({
  collection: 'agent_uses',
  holds: 'when an agent was last used',
  schema: lastUseSchema,
  tellsOfUse: true,
});
