import { lastUseSchema } from '../../kernel/commits/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';

/** When keys were last used, each with the key's id. */
export const keyUseRecords = defineRecord({
  collection: 'api_key_uses',
  holds: 'when an API key was last used',
  schema: lastUseSchema,
  tellsOfUse: true,
});
