import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  listAnswer,
  listSchema,
  mapListed,
  readPage,
  searchParameters,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint } from '../../../kernel/organizations/index.ts';
import { afterCommit, transact } from '../../../kernel/transactions/index.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { webhookRecords, webhooksOf } from '../records/webhook-record.ts';
import { ofForm, webhookChanging, webhookReading } from './one-webhook.ts';
import { changedWebhookBody, newWebhookBody, rotationBody } from './webhook-bodies.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateSecret,
  switchWebhook,
  type WebhookDependencies,
} from './webhook-changes.ts';
import { webhookSchema, webhookView } from './webhook-view.ts';

/** What administrators do with the webhooks of one form. */
export function webhookEndpoints(dependencies: WebhookDependencies, form: WebhookForm): Endpoint[] {
  const schema = webhookSchema(form);
  const schemaWithSecret = schema.extend({ [form.secret]: z.string().describe('Shown only once') });
  const shown = (store: Store, id: string) => webhookView(store, ofForm(form, webhookRecords.get(store, id)), form);
  const shownAfter = { schema, of: (store: Store, _: unknown, id: string) => shown(store, id) };
  const body = changedWebhookBody(form);
  return [
    listEndpoint(dependencies, form, schema),
    createEndpoint(dependencies, form, schemaWithSecret),
    webhookReading(dependencies, form, {
      summary: 'Get a webhook',
      permission: 'settings.read',
      schema,
      read: (store, webhook) => webhookView(store, webhook, form),
    }),
    ...(['PUT', 'PATCH'] as const).map((method) =>
      webhookChanging(dependencies, form, {
        method,
        summary: 'Change a webhook',
        description:
          'What is not sent stays as it is. Another host needs `headers` and `authentication` given again, where there ' +
          'are any.',
        body,
        change: changeWebhook,
        answer: shownAfter,
      }),
    ),
    webhookChanging(dependencies, form, {
      method: 'DELETE',
      summary: 'Delete a webhook',
      description: 'It gets nothing more, and what is on its way is not sent.',
      errors: ['unavailable'],
      change: deleteWebhook,
    }),
    ...[true, false].map((isActive) =>
      webhookChanging(dependencies, form, {
        method: 'POST',
        path: isActive ? '/enable' : '/disable',
        summary: `${isActive ? 'Enable' : 'Disable'} a webhook`,
        description: isActive
          ? 'It is sent what happens from now on; a replay sends what it has missed.'
          : 'It gets nothing more, and what is on its way is not sent.',
        errors: ['unavailable'],
        change: (transaction, webhook) => switchWebhook(transaction, webhook, isActive),
        answer: shownAfter,
      }),
    ),
    webhookChanging(dependencies, form, {
      method: 'POST',
      path: '/rotate-secret',
      summary: 'Replace the secret of a webhook',
      description:
        'Deliveries are signed with the new secret, and with the old one too until it ends: a day later where nothing ' +
        'else is said. The answer is the only one that shows the new one.',
      body: rotationBody,
      bodyOptional: true,
      errors: ['unavailable'],
      change: rotateSecret,
      answer: {
        schema: schemaWithSecret,
        of: (store, secret, id) => ({ ...shown(store, id), [form.secret]: secret }),
      },
    }),
  ];
}

function createEndpoint(dependencies: WebhookDependencies, form: WebhookForm, schema: z.ZodType): Endpoint {
  return endpoint({
    method: 'POST',
    path: form.path as string,
    summary: 'Create a webhook',
    description:
      'It is sent what happens from now on. The answer is the only one that shows the secret that deliveries are ' +
      'signed with.',
    tags: [form.tag],
    access: { permission: 'settings.manage' },
    body: newWebhookBody(form),
    responses: { 201: createdSchema(schema) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { store } = call.caller.organization;
      const { id, secret } = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
        createWebhook(transaction, form, call.body),
      );
      const shown = afterCommit(dependencies, webhookRecords, store, id, (entry) => webhookView(store, entry, form));
      const item = { ...shown, [form.secret]: secret };
      return json(201, createdAnswer(item, form.family, 'The webhook was created.'));
    },
  });
}

function listEndpoint({ engine }: WebhookDependencies, form: WebhookForm, schema: z.ZodType): Endpoint {
  const { catalog, family, path, tag } = form;
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: path as string,
    summary: 'List webhooks',
    description: 'Those of this form, in the order of creation. Searched by address and description.',
    tags: [tag],
    access: { permission: 'settings.read' },
    query: z.strictObject(searchParameters(bounds)),
    responses: { 200: listSchema(schema) },
    handler({ caller, query }) {
      const page = readPage(query, bounds);
      const wanted = query.search?.toLowerCase() ?? '';
      const { store } = caller.organization;
      return answerIfMay(engine, caller, 'settings.read', () => {
        const found = webhooksOf(store, catalog).filter(({ document: { url, description } }) =>
          `${url}\n${description}`.toLowerCase().includes(wanted),
        );
        return json(
          200,
          mapListed(listAnswer(found, page, family), (entry) => webhookView(store, entry, form)),
        );
      });
    },
  });
}
