import { z } from 'zod';
import { defineEvent, inEveryCatalog, resourceNames } from '../../../kernel/events/index.ts';
import { disabledReasons } from './webhook-record.ts';

/** The service has turned a webhook off: so many deliveries failed, or its receiver answered 410. */
export const webhookDisabled = defineEvent({
  type: 'webhook.disabled',
  data: z.strictObject({
    webhook: z.strictObject({ id: z.string(), description: z.string() }),
    reason: z.enum(disabledReasons),
  }),
  example: {
    webhook: { id: '01920000-0000-7000-8000-000000000011', description: 'The data warehouse' },
    reason: 'failures',
  },
  about: ({ webhook }) => resourceNames({ webhook: webhook.id }),
  becomes: inEveryCatalog('webhook.disabled'),
});
