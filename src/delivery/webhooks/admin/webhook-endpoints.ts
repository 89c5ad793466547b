import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
  searchText,
  singleAnswer,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller } from '../../../kernel/organizations/index.ts';
import { notFound, transact } from '../../../kernel/transactions/index.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { type WebhookEntry, webhookRecords, webhooksOf } from '../records/webhook-record.ts';
import { changedWebhookBody, newWebhookBody, rotationBody } from './webhook-bodies.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateSecret,
  type Shown,
  switchWebhook,
  type WebhookDependencies,
} from './webhook-changes.ts';
import { webhookSchema, webhookView } from './webhook-view.ts';

const endpoint = endpointFor<Caller>();

/** What administrators do with the webhooks of one form. */
export function webhookEndpoints(dependencies: WebhookDependencies, form: WebhookForm): Endpoint[] {
  const make = new WebhookEndpoints(dependencies, form);
  return [
    make.list(),
    make.create(),
    make.read(),
    make.change('PUT'),
    make.change('PATCH'),
    make.delete(),
    make.enable(true),
    make.enable(false),
    make.rotate(),
  ];
}

class WebhookEndpoints {
  readonly #dependencies: WebhookDependencies;
  readonly #form: WebhookForm;
  readonly #schema: ReturnType<typeof webhookSchema>;
  /** Of one webhook. */
  readonly #one: string;
  readonly #shared: { readonly tags: readonly string[] };

  constructor(dependencies: WebhookDependencies, form: WebhookForm) {
    this.#dependencies = dependencies;
    this.#form = form;
    this.#schema = webhookSchema(form);
    this.#one = `${form.path}/{webhookId}`;
    this.#shared = { tags: [form.tag] };
  }

  list(): Endpoint {
    const { catalog, family, path } = this.#form;
    const bounds = boundsOf(family);
    return endpoint({
      ...this.#shared,
      method: 'GET',
      path: path as string,
      summary: 'List webhooks',
      description: 'Those of this form, in the order of creation. Searched by address and description.',
      access: { permission: 'settings.read' },
      query: z.strictObject({ ...pageParameters(bounds), search: searchText.optional() }),
      responses: { 200: listSchema(this.#schema) },
      handler: ({ caller, query }) => {
        const page = readPage(query, bounds);
        const wanted = query.search?.toLowerCase() ?? '';
        const { store } = caller.organization;
        return answerIfMay(this.#dependencies.engine, caller, 'settings.read', () => {
          const found = webhooksOf(store, catalog).filter(({ document: { url, description } }) =>
            `${url}\n${description}`.toLowerCase().includes(wanted),
          );
          return json(
            200,
            mapListed(listAnswer(found, page, family), (entry) => webhookView(store, entry, this.#form)),
          );
        });
      },
    });
  }

  create(): Endpoint {
    const { family, path, secret } = this.#form;
    return endpoint({
      ...this.#shared,
      method: 'POST',
      path: path as string,
      summary: 'Create a webhook',
      description:
        'It is sent what happens from now on. The answer is the only one that shows the secret that deliveries are ' +
        'signed with.',
      access: { permission: 'settings.manage' },
      body: newWebhookBody(this.#form),
      responses: { 201: createdSchema(this.#schema.extend({ [secret]: z.string().describe('Shown only once') })) },
      errors: ['refused', 'unavailable'],
      handler: async (call) => {
        const shown = await transact(this.#dependencies, call.caller, factsOf(call), (transaction) =>
          createWebhook(transaction, this.#form, call.body),
        );
        return json(201, createdAnswer(this.#withSecret(call.caller, shown), family, 'The webhook was created.'));
      },
    });
  }

  read(): Endpoint {
    return endpoint({
      ...this.#shared,
      method: 'GET',
      path: this.#one as string,
      summary: 'Get a webhook',
      access: { permission: 'settings.read' },
      responses: { 200: singleSchema(this.#schema) },
      handler: ({ caller, params }) =>
        answerIfMay(this.#dependencies.engine, caller, 'settings.read', () =>
          json(200, this.#single(caller, idIn(params))),
        ),
    });
  }

  change(method: 'PUT' | 'PATCH'): Endpoint {
    return endpoint({
      ...this.#shared,
      method,
      path: this.#one as string,
      summary: 'Change a webhook',
      description:
        'What is not sent stays as it is. Another host needs `headers` and `authentication` given again, where there ' +
        'are any.',
      access: { permission: 'settings.manage' },
      body: changedWebhookBody(this.#form),
      responses: { 200: singleSchema(this.#schema) },
      errors: ['refused', 'unavailable'],
      handler: async (call) => {
        const id = idIn(call.params);
        await transact(this.#dependencies, call.caller, factsOf(call), (transaction) =>
          changeWebhook(transaction, this.#form, id, call.body),
        );
        return json(200, this.#answer(call.caller, id));
      },
    });
  }

  delete(): Endpoint {
    return endpoint({
      ...this.#shared,
      method: 'DELETE',
      path: this.#one as string,
      summary: 'Delete a webhook',
      description: 'It gets nothing more, and what is on its way is not sent.',
      access: { permission: 'settings.manage' },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      handler: async (call) => {
        await transact(this.#dependencies, call.caller, factsOf(call), (transaction) =>
          deleteWebhook(transaction, this.#form, idIn(call.params)),
        );
        return noContent();
      },
    });
  }

  enable(isActive: boolean): Endpoint {
    return endpoint({
      ...this.#shared,
      method: 'POST',
      path: `${this.#one}/${isActive ? 'enable' : 'disable'}` as string,
      summary: `${isActive ? 'Enable' : 'Disable'} a webhook`,
      description: isActive
        ? 'It is sent what happens from now on; a replay sends what it has missed.'
        : 'It gets nothing more, and what is on its way is not sent.',
      access: { permission: 'settings.manage' },
      responses: { 200: singleSchema(this.#schema) },
      errors: ['unavailable'],
      handler: async (call) => {
        const id = idIn(call.params);
        await transact(this.#dependencies, call.caller, factsOf(call), (transaction) =>
          switchWebhook(transaction, this.#form, id, isActive),
        );
        return json(200, this.#answer(call.caller, id));
      },
    });
  }

  rotate(): Endpoint {
    const { family, secret } = this.#form;
    return endpoint({
      ...this.#shared,
      method: 'POST',
      path: `${this.#one}/rotate-secret` as string,
      summary: 'Replace the secret of a webhook',
      description:
        'Deliveries are signed with the new secret, and with the old one too until it ends: a day later where nothing ' +
        'else is said. The answer is the only one that shows the new one.',
      access: { permission: 'settings.manage' },
      body: rotationBody,
      bodyOptional: true,
      responses: { 200: singleSchema(this.#schema.extend({ [secret]: z.string().describe('Shown only once') })) },
      errors: ['unavailable'],
      handler: async (call) => {
        const shown = await transact(this.#dependencies, call.caller, factsOf(call), (transaction) =>
          rotateSecret(transaction, this.#form, idIn(call.params), call.body),
        );
        return json(200, singleAnswer(this.#withSecret(call.caller, shown), family));
      },
    });
  }

  #withSecret(caller: Caller, { id, secret }: Shown): object {
    return { ...this.#shown(caller, id), [this.#form.secret]: secret };
  }

  /** As it stands after the commit. */
  #answer(caller: Caller, id: string): unknown {
    return this.#dependencies.engine.read(() => this.#single(caller, id));
  }

  #single(caller: Caller, id: string): unknown {
    return singleAnswer(this.#shown(caller, id), this.#form.family);
  }

  #shown({ organization: { store } }: Caller, id: string): object {
    return this.#dependencies.engine.read(() => {
      const entry: WebhookEntry | undefined = webhookRecords.get(store, id);
      if (entry?.document.form !== this.#form.catalog) throw notFound();
      return webhookView(store, entry, this.#form);
    });
  }
}

function idIn(params: unknown): string {
  return (params as Readonly<Record<string, string>>).webhookId ?? '';
}
