export { webhookChannel } from './channel/webhook-channel.ts';
export { webhookForms } from './records/webhook-form.ts';
export { mintSecret } from './signing/mint-secret.ts';
export { signatureHeaders } from './signing/signature-headers.ts';
export { webhooksModule } from './webhooks-module.ts';
