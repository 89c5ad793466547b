import type { Module } from '../../kernel/modules/index.ts';
import type { WebhookDependencies } from './admin/webhook-changes.ts';
import { webhookEndpoints } from './admin/webhook-endpoints.ts';
import { deliveryEndpoints } from './deliveries/delivery-endpoints.ts';
import { testEndpoint } from './deliveries/test-endpoint.ts';
import { webhookDisabled } from './records/webhook-disabled.ts';
import { webhookForms } from './records/webhook-form.ts';
import { webhookRecords } from './records/webhook-record.ts';
import { webhookRollRecords } from './records/webhook-roll.ts';

/** `/admin/webhooks` of both families, and `/webhooks`. */
export const webhooksModule: Module<WebhookDependencies> = {
  name: 'webhooks',
  records: [webhookRecords, webhookRollRecords],
  events: [webhookDisabled],
  endpoints: (services) =>
    Object.values(webhookForms).flatMap((form) => [
      ...webhookEndpoints(services, form),
      testEndpoint(services, form),
      ...deliveryEndpoints(services, form),
    ]),
};
