import type { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json, noContent, type ProblemCode } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint } from '../../../kernel/organizations/index.ts';
import { notFound, transact } from '../../../kernel/transactions/index.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { type WebhookEntry, webhookRecords } from '../records/webhook-record.ts';
import type { WebhookDependencies, WebhookTransaction } from './webhook-changes.ts';

/** An operation on one webhook of a form, or on something of it. */
interface Operation {
  readonly summary: string;
  readonly description?: string;
  /** Below the webhook: `/deliveries/{deliveryId}`. */
  readonly path?: string;
}

/** Those that the path has: what it has not is never asked for. */
interface PathParams {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly replayId: string;
}

interface Reading<Query> extends Operation {
  readonly permission: 'settings.read' | 'audit.read';
  readonly query?: z.ZodType<Query>;
  readonly schema: z.ZodType;
  /** Called in the snapshot in which the right to it is decided. */
  readonly read: (store: Store, webhook: WebhookEntry, params: PathParams, query: Query) => object;
}

/** Shows one webhook, or something of it. */
export function webhookReading<Query = undefined>(
  { engine }: WebhookDependencies,
  form: WebhookForm,
  { path = '', permission, schema, read, ...spec }: Reading<Query>,
): Endpoint {
  return endpoint({
    ...spec,
    method: 'GET',
    path: `${form.path}/{webhookId}${path}` as string,
    tags: [form.tag],
    access: { permission },
    responses: { 200: singleSchema(schema) },
    handler: ({ caller, params: given, query }) =>
      answerIfMay(engine, caller, permission, () => {
        const { store } = caller.organization;
        const params = given as unknown as PathParams;
        const webhook = ofForm(form, webhookRecords.get(store, params.webhookId));
        return json(200, singleAnswer(read(store, webhook, params, query), form.family));
      }),
  });
}

interface Changing<Body, Done> extends Operation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: z.ZodType<Body>;
  readonly bodyOptional?: boolean;
  readonly errors?: readonly ProblemCode[];
  /** The caller has the right, in the same snapshot. */
  readonly change: (transaction: WebhookTransaction, webhook: WebhookEntry, body: Body, params: PathParams) => Done;
  /** What the answer shows, in a snapshot after the commit; a deletion shows nothing. */
  readonly answer?: {
    readonly status?: 200 | 202;
    readonly schema: z.ZodType;
    readonly of: (store: Store, done: Done, webhookId: string) => object;
  };
}

/** Changes one webhook, or something of it. */
export function webhookChanging<Done, Body = undefined>(
  dependencies: WebhookDependencies,
  form: WebhookForm,
  { path = '', change, answer, ...spec }: Changing<Body, Done>,
): Endpoint {
  const status = answer?.status ?? 200;
  return endpoint({
    errors: ['refused', 'unavailable'],
    ...spec,
    path: `${form.path}/{webhookId}${path}` as string,
    tags: [form.tag],
    access: { permission: 'settings.manage' },
    responses:
      answer === undefined ? { 204: { description: 'It is gone.' } } : { [status]: singleSchema(answer.schema) },
    async handler(call) {
      const { caller, body } = call;
      const params = call.params as unknown as PathParams;
      const done = await transact(dependencies, caller, factsOf(call), (transaction) => {
        transaction.require('settings.manage');
        const webhook = ofForm(form, transaction.get(webhookRecords, params.webhookId));
        return change(transaction, webhook, body, params);
      });
      if (answer === undefined) return noContent();
      const { store } = caller.organization;
      const shown = dependencies.engine.read(() => answer.of(store, done, params.webhookId));
      return json(status, singleAnswer(shown, form.family));
    },
  });
}

/** Forms do not see each other's webhooks. @throws ProblemError 404 */
export function ofForm({ catalog }: WebhookForm, found: WebhookEntry | undefined): WebhookEntry {
  if (found?.document.form !== catalog) throw notFound();
  return found;
}
