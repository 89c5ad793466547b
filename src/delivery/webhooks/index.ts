export { webhookChannel } from './channel/webhook-channel.ts';
export { webhooksModule } from './webhooks-module.ts';
