import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { endpoint } from '../../../kernel/organizations/index.ts';
import { afterCommit, refused, requirePermission, transact } from '../../../kernel/transactions/index.ts';
import { deliveryRecords } from '../../dispatch/index.ts';
import { ofForm } from '../admin/one-webhook.ts';
import { tellOf } from '../admin/webhook-audit.ts';
import type { WebhookDependencies } from '../admin/webhook-changes.ts';
import { ClientTokens } from '../channel/client-tokens.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { webhookRecords } from '../records/webhook-record.ts';
import { OpenSecrets } from '../signing/open-secrets.ts';
import { deliverySchema, deliveryView } from './delivery-view.ts';
import { sendTest } from './send-test.ts';

/** At once, of one organization in one thread: each waits for a receiver. */
const UNDER_WAY_MAX = 5;

/** Sends one event that tells of nothing. It counts for nothing, and is made for webhooks that are disabled too. */
export function testEndpoint(dependencies: WebhookDependencies, form: WebhookForm): Endpoint {
  const secrets = new OpenSecrets();
  const underWay = new Map<string, number>();
  return endpoint({
    method: 'POST',
    path: `${form.path}/{webhookId}/test` as string,
    summary: 'Send a test event to a webhook',
    description:
      'An event `webhook.test`, now, once, and signed as all others. Answers what became of it within 15 seconds. It ' +
      'is among the deliveries, and counts neither for nor against the webhook.',
    tags: [form.tag],
    access: { permission: 'settings.manage' },
    responses: { 200: singleSchema(deliverySchema) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller } = call;
      const { organization } = caller;
      const facts = factsOf(call);
      const id = (call.params as Readonly<Record<string, string>>).webhookId ?? '';
      const webhook = dependencies.engine.read(() => {
        requirePermission(caller, 'settings.manage');
        return ofForm(form, webhookRecords.get(organization.store, id));
      });
      const others = underWay.get(organization.id) ?? 0;
      if (others >= UNDER_WAY_MAX) throw refused('Other tests are running. Wait until they finish.');
      underWay.set(organization.id, others + 1);
      try {
        const { sealer, outbound, log, audit } = dependencies;
        // a token that is kept would say nothing of the credentials
        const kept = { secrets, tokens: new ClientTokens() };
        const sent = await sendTest({ sealer, outbound, log, ...audit }, kept, organization, webhook);
        await transact(dependencies, caller, facts, (transaction) => {
          transaction.require('settings.manage');
          const entry = ofForm(form, transaction.get(webhookRecords, id));
          transaction.put(deliveryRecords, sent.id, sent.document);
          transaction.audit(tellOf('test', entry, { deliveryId: sent.id, status: sent.document.status }));
        });
        const shown = afterCommit(dependencies, deliveryRecords, organization.store, sent.id, deliveryView);
        return json(200, singleAnswer(shown, form.family));
      } finally {
        const left = (underWay.get(organization.id) ?? 1) - 1;
        if (left === 0) underWay.delete(organization.id);
        else underWay.set(organization.id, left);
      }
    },
  });
}
