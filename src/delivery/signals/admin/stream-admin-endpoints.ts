import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, type RecordLists, singleAnswer, singleSchema, sortFields } from '../../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  endpoint,
  type FamilyBase,
  inBothFamilies,
} from '../../../kernel/organizations/index.ts';
import type { QueryHandler, QueryPool } from '../../../kernel/queries/index.ts';
import { type RecordList, recordListEndpoint, recordListPages } from '../../../kernel/resources/index.ts';
import { type AdminDependencies, descriptionSchema, existing, transact } from '../../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import { clientRecords } from '../../../protocols/oauth/index.ts';
import { subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import { eventsDelivered } from '../events/event-uris.ts';
import { announceStatus } from '../records/announce-status.ts';
import {
  channelName,
  type StreamEntry,
  type StreamRecord,
  streamRecords,
  streamStatuses,
} from '../records/stream-record.ts';
import { waitingRecords } from '../records/waiting-record.ts';
import { deleteStream, setStatus } from '../transmitter/stream-changes.ts';

interface StreamAdminDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
}

const tags = ['Shared signals'];
const read = { permission: 'settings.read' } as const;
const manage = { permission: 'settings.manage' } as const;

/** Those of all clients. */
const list: RecordList<StreamRecord> = {
  path: 'signals/streams',
  summary: 'List streams of security events',
  description: 'Those of all clients. Searched by id, client, address and description.',
  tags,
  right: read.permission,
  definition: {
    records: streamRecords,
    text: ({ clientId, description = '', endpointUrl = '' }, id) => [id, clientId, description, endpointUrl],
    sorts: sortFields('createdAt', 'updatedAt'),
    filters: {},
  },
};

/** A receiver alone pauses its stream. */
const statusBody = z.strictObject({ status: z.enum(['enabled', 'disabled']), reason: descriptionSchema.optional() });

/** `/admin/signals/streams`, in both families: what is transmitted, and to whom. */
export function streamAdminEndpoints(dependencies: StreamAdminDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    recordListEndpoint(list, dependencies, base, family, adminStreamSchema),
    readEndpoint(dependencies, base, family),
    ...changeEndpoints(dependencies, base, family),
  ]);
}

/** The pages of the list, in the query pool. */
export function streamListQuery(lists: RecordLists): QueryHandler {
  return recordListPages(lists, list, adminStreamView);
}

function readEndpoint({ engine }: StreamAdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/signals/streams/{streamId}`,
    summary: 'Get a stream of security events',
    tags,
    access: read,
    responses: { 200: singleSchema(adminStreamSchema) },
    handler: ({ caller, params }) =>
      answerIfMay(engine, caller, read.permission, () => shown(caller, params.streamId, family)),
  });
}

/** To be called inside `Engine.read`. @throws ProblemError 404 */
function shown({ organization: { store } }: Caller, id: string, family: Family) {
  const entry = existing(streamRecords.get(store, id));
  return json(200, singleAnswer(adminStreamView(store, entry), family));
}

function changeEndpoints(dependencies: StreamAdminDependencies, base: FamilyBase, family: Family): Endpoint[] {
  const path = `${base}/admin/signals/streams/{streamId}` as const;
  return [
    endpoint({
      method: 'PATCH',
      path,
      summary: 'Enable or disable a stream of security events',
      description:
        'Its receiver is told by a `stream-updated` event. A disabled stream drops its events, and begins with those ' +
        'that follow once it is enabled.',
      tags,
      access: manage,
      body: statusBody,
      responses: { 200: singleSchema(adminStreamSchema) },
      errors: ['unavailable'],
      async handler(call) {
        const { caller, body, params } = call;
        await transact(dependencies, caller, factsOf(call), (transaction) => {
          transaction.require(manage.permission);
          const entry = transaction.existing(streamRecords, params.streamId);
          if (entry.document.status === body.status) return transaction.drop(undefined);
          return announceStatus(transaction, setStatus(transaction, entry, body));
        });
        return dependencies.engine.read(() => shown(caller, params.streamId, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path,
      summary: 'Delete a stream of security events',
      description: 'Its receiver gets nothing more, and what waits is dropped.',
      tags,
      access: manage,
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      async handler(call) {
        await transact(dependencies, call.caller, factsOf(call), (transaction) => {
          transaction.require(manage.permission);
          deleteStream(transaction, transaction.existing(streamRecords, call.params.streamId));
        });
        return noContent();
      },
    }),
  ];
}

const moment = z.string().nullable();

/** A stream as administrators see it. */
export const adminStreamSchema = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  clientName: z.string().nullable(),
  method: z.enum(['push', 'poll']),
  endpointUrl: z.string().nullable().describe('Where events are pushed'),
  status: z.enum(streamStatuses),
  reason: z.string().nullable(),
  events: z.array(z.string()).describe('What it delivers'),
  description: z.string().nullable(),
  waitingCount: z.int().describe('Events that wait to be polled'),
  deliveredCount: z.int().describe('Events that were pushed and taken'),
  failedCount: z.int(),
  failureCount: z.int().describe('Pushes that failed, one after the other, since the last that was taken'),
  lastDeliveredAt: moment,
  lastFailedAt: moment,
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** To be called inside `Engine.read`. */
export function adminStreamView(store: Store, { id, document }: StreamEntry): z.output<typeof adminStreamSchema> {
  const { clientId, method, endpointUrl, status, reason, eventsRequested, description } = document;
  const state = subscriptionStateRecords.get(store, subscriptionKey(channelName, id))?.document;
  return {
    id,
    clientId,
    clientName: clientRecords.get(store, clientId)?.document.name ?? null,
    method,
    endpointUrl: endpointUrl ?? null,
    status,
    reason: reason ?? null,
    events: [...eventsDelivered(eventsRequested)],
    description: description ?? null,
    waitingCount: waitingRecords.index(store).counted('#stream', id),
    deliveredCount: state?.delivered ?? 0,
    failedCount: state?.failed ?? 0,
    failureCount: state?.consecutiveFailures ?? 0,
    lastDeliveredAt: isoTimeOrNull(state?.lastDeliveredAt),
    lastFailedAt: isoTimeOrNull(state?.lastFailedAt),
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
  };
}
