import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { WebhookEntry } from '../records/webhook-record.ts';

/** How the audit log tells what was done to a webhook. */
export function tellOf(verb: string, { id, document }: WebhookEntry, details: object = {}): AuditEvent {
  const { form, description, events, isActive, url } = document;
  return {
    eventType: 'admin.action',
    action: `webhook.${verb}`,
    targetType: 'webhook',
    targetId: id,
    // the rest of the address can be a secret
    metadata: { form, description, host: new URL(url).host, events, isActive, ...details },
  };
}
