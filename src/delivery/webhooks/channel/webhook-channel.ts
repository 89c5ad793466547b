import type { Engine } from '#engine';
import type { OrganizationMailer } from '../../../directory/settings/index.ts';
import type { EventTypes } from '../../../kernel/events/index.ts';
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
        to.map((each) => mailer.send(organization, { to: each, ...noticeOf(document, reason) })),
      );
    },
  };
}

const reasons: Readonly<Record<EndReason, string>> = {
  failures: 'too many deliveries to it have failed, one after the other',
  gone: 'its receiver has answered that it is gone (410)',
};

function noticeOf({ url, description }: WebhookRecord, reason: EndReason) {
  const subject = 'A webhook was disabled';
  const name = description === '' ? '' : ` (${description})`;
  return {
    subject,
    heading: subject,
    paragraphs: [
      `The webhook to ${new URL(url).host}${name} was disabled, because ${reasons[reason]}.`,
      'It gets no events until it is enabled again. What it has missed can then be replayed, for as long as events are kept.',
    ],
  };
}
