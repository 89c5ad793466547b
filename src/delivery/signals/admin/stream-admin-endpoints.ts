import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, type RecordLists, singleAnswer, singleSchema, sortFields } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import type { QueryHandler, QueryPool } from '../../../kernel/queries/index.ts';
import { type RecordList, recordListEndpoint, recordListPages } from '../../../kernel/resources/index.ts';
import { type AdminDependencies, descriptionSchema, existing, transact } from '../../../kernel/transactions/index.ts';
import { announceStatus } from '../records/announce-status.ts';
import { type StreamRecord, streamRecords } from '../records/stream-record.ts';
import { deleteStream, setStatus } from '../transmitter/stream-lifecycle.ts';
import { adminStreamSchema, adminStreamView } from './stream-admin-view.ts';

interface StreamAdminDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
}

const endpoint = endpointFor<Caller>();
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
      answerIfMay(engine, caller, read.permission, () => {
        const { store } = caller.organization;
        const entry = existing(streamRecords.get(store, params.streamId));
        return json(200, singleAnswer(adminStreamView(store, entry), family));
      }),
  });
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
        const { store } = caller.organization;
        return dependencies.engine.read(() => {
          const entry = existing(streamRecords.get(store, params.streamId));
          return json(200, singleAnswer(adminStreamView(store, entry), family));
        });
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
