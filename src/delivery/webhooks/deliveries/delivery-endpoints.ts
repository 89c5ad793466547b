import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, endpointFor, json, queryInteger } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller } from '../../../kernel/organizations/index.ts';
import { existing, invalid, notFound, transact } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { deliveryRecords, replayRecords, subscriptionKey } from '../../dispatch/index.ts';
import type { WebhookDependencies } from '../admin/webhook-changes.ts';
import type { WebhookForm } from '../records/webhook-form.ts';
import { channelName, webhookRecords } from '../records/webhook-record.ts';
import { type Replay, redeliver, replay } from './delivery-changes.ts';
import {
  deliverySchema,
  deliveryStates,
  deliveryView,
  deliveryWithAttempts,
  deliveryWithAttemptsSchema,
} from './delivery-view.ts';
import { findDeliveries } from './find-deliveries.ts';

const endpoint = endpointFor<Caller>();

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

const deliveriesQuery = z.strictObject({
  limit: queryInteger({ min: 1, max: LIMIT_MAX, default: LIMIT_DEFAULT }),
  cursor: z
    .string()
    .regex(/^[0-9a-f-]{36}$/, 'must be the nextCursor of a page')
    .optional(),
  type: z.string().min(1).max(100).describe('Name of an event').optional(),
  status: z.enum(deliveryStates).optional(),
  resource: z.string().min(1).max(256).describe('What an event is about: `user:42`').optional(),
});

const moment = z.iso.datetime({ offset: true });
const replayBody = z.strictObject({
  since: moment.describe('From this moment on, as far as events are kept'),
  until: moment.describe('Up to the last event if omitted').optional(),
});

const replaySchema = z.strictObject({
  id: z.string(),
  status: z.enum(['running', 'done', 'ended']).describe('`ended`: the webhook was disabled or deleted meanwhile'),
  events: z.int().describe('How many the span has, for whomever they are'),
  passed: z.int().describe('How many of them are done with'),
  sent: z.int().describe('How many of those are for this webhook'),
  createdBy: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

/** What was sent to the webhooks of one form, and sending it again. */
export function deliveryEndpoints(dependencies: WebhookDependencies, form: WebhookForm): Endpoint[] {
  const one = `${form.path}/{webhookId}`;
  return [
    listEndpoint(dependencies, form, one),
    readEndpoint(dependencies, form, one),
    redeliverEndpoint(dependencies, form, one),
    replayEndpoint(dependencies, form, one),
    progressEndpoint(dependencies, form, one),
  ];
}

function listEndpoint({ engine }: WebhookDependencies, form: WebhookForm, one: string): Endpoint {
  const schema = z.strictObject({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() });
  return endpoint({
    method: 'GET',
    path: `${one}/deliveries` as string,
    summary: 'List the deliveries of a webhook',
    description:
      'The newest first. A page whose `nextCursor` is not null may be short or empty: others follow. Payloads can be ' +
      'about people, so that this needs the permission to read the audit log.',
    tags: [form.tag],
    access: { permission: 'audit.read' },
    query: deliveriesQuery,
    responses: { 200: singleSchema(schema) },
    handler: ({ caller, params, query }) =>
      answerIfMay(engine, caller, 'audit.read', () => {
        const { store } = caller.organization;
        const key = keyIn(store, form, params);
        const { entries, cursor } = findDeliveries(store, { key, ...query });
        const page = { deliveries: entries.map(deliveryView), nextCursor: cursor ?? null };
        return json(200, singleAnswer(page, form.family));
      }),
  });
}

function readEndpoint({ engine }: WebhookDependencies, form: WebhookForm, one: string): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${one}/deliveries/{deliveryId}` as string,
    summary: 'Get a delivery with its attempts',
    tags: [form.tag],
    access: { permission: 'audit.read' },
    responses: { 200: singleSchema(deliveryWithAttemptsSchema) },
    handler: ({ caller, params }) =>
      answerIfMay(engine, caller, 'audit.read', () => {
        const { store } = caller.organization;
        const key = keyIn(store, form, params);
        const entry = existing(deliveryRecords.get(store, named(params, 'deliveryId')));
        if (entry.document.subscription !== key) throw notFound();
        return json(200, singleAnswer(deliveryWithAttempts(entry), form.family));
      }),
  });
}

function redeliverEndpoint(dependencies: WebhookDependencies, form: WebhookForm, one: string): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/redeliver` as string,
    summary: 'Send a delivery again',
    description: 'Whether it has arrived or not, at once and with all attempts. Its ids stay the same.',
    tags: [form.tag],
    access: { permission: 'settings.manage' },
    responses: { 202: singleSchema(z.strictObject({ id: z.string(), status: z.enum(deliveryStates) })) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { params } = call;
      const { id, document } = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
        redeliver(transaction, form, named(params, 'webhookId'), named(params, 'deliveryId')),
      );
      return json(202, singleAnswer({ id, status: document.status }, form.family));
    },
  });
}

function replayEndpoint(dependencies: WebhookDependencies, form: WebhookForm, one: string): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${one}/replay` as string,
    summary: 'Replay events to a webhook',
    description:
      'From a moment on, in the order in which it happened, beside what happens meanwhile. The ids of events stay the ' +
      'same, so that a receiver can tell what it has had. One at a time.',
    tags: [form.tag],
    access: { permission: 'settings.manage' },
    body: replayBody,
    responses: { 202: singleSchema(replaySchema) },
    errors: ['conflict', 'refused', 'unavailable'],
    async handler(call) {
      const since = Date.parse(call.body.since);
      const until = call.body.until === undefined ? undefined : Date.parse(call.body.until);
      if (until !== undefined && until < since) throw invalid('until', 'must not be before since');
      const begun = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
        replay(transaction, form, named(call.params, 'webhookId'), { since, until }),
      );
      return json(202, singleAnswer(replayView(begun), form.family));
    },
  });
}

function progressEndpoint({ engine }: WebhookDependencies, form: WebhookForm, one: string): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${one}/replays/{replayId}` as string,
    summary: 'Get the progress of a replay',
    tags: [form.tag],
    access: { permission: 'settings.read' },
    responses: { 200: singleSchema(replaySchema) },
    handler: ({ caller, params }) =>
      answerIfMay(engine, caller, 'settings.read', () => {
        const { store } = caller.organization;
        const key = keyIn(store, form, params);
        const entry = existing(replayRecords.get(store, named(params, 'replayId')));
        if (entry.document.subscription !== key) throw notFound();
        return json(200, singleAnswer(replayView(entry), form.family));
      }),
  });
}

function replayView({ id, document }: Replay): z.output<typeof replaySchema> {
  const { status, from, to, position, sent, createdBy, createdAt, finishedAt } = document;
  return {
    id,
    status,
    events: to - from,
    passed: Math.max(0, Math.min(position, to) - from),
    sent,
    createdBy,
    createdAt: isoTime(createdAt),
    finishedAt: finishedAt === undefined ? null : isoTime(finishedAt),
  };
}

/** Of a webhook that is there. @throws ProblemError 404 */
function keyIn(store: Store, { catalog }: WebhookForm, params: unknown): string {
  const id = named(params, 'webhookId');
  if (webhookRecords.get(store, id)?.document.form !== catalog) throw notFound();
  return subscriptionKey(channelName, id);
}

function named(params: unknown, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}
