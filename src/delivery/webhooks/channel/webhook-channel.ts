import type { Engine } from '#engine';
import type { OrganizationMailer } from '../../../directory/settings/index.ts';
import type { EventTypes } from '../../../kernel/events/index.ts';
import { type Texts, textsFor } from '../../../texts/index.ts';
import type { ChannelKind, EndReason } from '../../dispatch/index.ts';
import { tellOf } from '../admin/webhook-audit.ts';
import { webhookDisabled } from '../records/webhook-disabled.ts';
import { activeIds, channelName, type WebhookRecord, webhookRecords } from '../records/webhook-record.ts';
import { OpenSecrets } from '../signing/open-secrets.ts';
import { ClientTokens } from './client-tokens.ts';
import { findAdministrators } from './find-administrators.ts';
import { WebhookMessages } from './webhook-message.ts';
import { type RequestServices, webhookRequest } from './webhook-request.ts';

/** What webhooks are served with. */
export interface WebhookServices extends RequestServices {
  readonly engine: Pick<Engine, 'read'>;
  readonly mailer: Pick<OrganizationMailer, 'send' | 'canSend'>;
}

/** @param types every type of events of this service, asked for when the first event is worded */
export function webhookChannel(types: () => EventTypes): ChannelKind<WebhookRecord, WebhookServices> {
  const messages = new WebhookMessages(types);
  const kept = { secrets: new OpenSecrets(), tokens: new ClientTokens() };
  return {
    name: channelName,
    records: webhookRecords,
    active: activeIds,
    message: (organization, { document }, event) => messages.of(organization, document, event),
    request: (services, sending) => webhookRequest(services, kept, sending),
    end(transaction, entry, disabledReason) {
      transaction.rely(webhookRecords, entry);
      if (!entry.document.isActive) return;
      const { id } = entry;
      const document = {
        ...entry.document,
        isActive: false,
        disabledReason,
        disabledAt: transaction.now,
        updatedAt: transaction.now,
      };
      transaction.put(webhookRecords, id, document);
      transaction.audit({
        ...tellOf('disable', { ...entry, document }, { reason: disabledReason }),
        severity: 'warning',
      });
      transaction.emit(
        webhookDisabled.of({ webhook: { id, description: document.description }, reason: disabledReason }),
      );
    },
    async ended({ engine, mailer }, organization, { document }, reason) {
      const { store } = organization;
      const to = engine.read(() => (mailer.canSend(store) ? findAdministrators(store) : []));
      await Promise.allSettled(
        to.map(({ email, locale }) =>
          mailer.send(organization, { to: email, ...noticeOf(textsFor('', locale), document, reason) }),
        ),
      );
    },
  };
}

const reasons = {
  failures: 'mails.webhookFailures',
  gone: 'mails.webhookGone',
} as const satisfies Readonly<Record<EndReason, string>>;

function noticeOf(t: Texts, { url, description }: WebhookRecord, reason: EndReason) {
  const subject = t('mails.webhookSubject');
  const webhook = `${new URL(url).host}${description === '' ? '' : ` (${description})`}`;
  return {
    language: t.tag,
    subject,
    heading: subject,
    paragraphs: [t(reasons[reason], { webhook }), t('mails.webhookAgain')],
  };
}
