import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { type Caller, endpoint } from '../../../kernel/organizations/index.ts';
import { idSchema } from '../../../kernel/transactions/index.ts';
import { type StreamEntry, streamRecords, streamsOf } from '../records/stream-record.ts';
import {
  changeStream,
  clientOf,
  createStream,
  deleteStream,
  ofCaller,
  ownStream,
  setStatus,
} from './stream-changes.ts';
import {
  changedStreamBody,
  newStreamBody,
  statusBody,
  statusSchema,
  statusView,
  streamSchema,
  streamView,
} from './stream-view.ts';
import { signalsBase, streamChanging, type TransmitterDependencies, tags } from './transmitter-endpoint.ts';

const read = { scope: 'ssf.read' } as const;

/** The configuration endpoint (SSF 1.0, 8.1.1). A client sees its own streams alone. */
export function streamEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  const { engine, baseUrl } = dependencies;
  const shown = {
    schema: streamSchema,
    of: (entry: StreamEntry, { organization }: Caller) => streamView(baseUrl, organization.slug, entry),
  };
  return [
    streamChanging(dependencies, {
      method: 'POST',
      path: '/stream',
      summary: 'Create a stream of security events',
      description: 'It begins with the events that follow. A client has ten streams at most.',
      body: newStreamBody,
      errors: ['refused'],
      answer: { status: 201, ...shown },
      change: (transaction, { body }) => createStream(transaction, body).id,
    }),
    endpoint({
      method: 'GET',
      path: `${signalsBase}/stream`,
      summary: 'Read a stream of security events, or all of the caller’s',
      tags,
      access: read,
      query: z.strictObject({ stream_id: idSchema.optional() }),
      responses: { 200: z.union([streamSchema, z.array(streamSchema)]) },
      handler({ caller, query: { stream_id: id } }) {
        const { store, slug } = caller.organization;
        return engine.read(() => {
          if (id === undefined)
            return json(
              200,
              streamsOf(store, clientOf(caller)).map((each) => streamView(baseUrl, slug, each)),
            );
          return json(200, streamView(baseUrl, slug, ofCaller(caller, streamRecords.get(store, id))));
        });
      },
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      streamChanging(dependencies, {
        method,
        path: '/stream',
        summary: method === 'PUT' ? 'Replace a stream of security events' : 'Change a stream of security events',
        description:
          'What the transmitter says of a stream may be sent along as it is. The header of another address is dropped.',
        body: changedStreamBody,
        answer: { status: 200, ...shown },
        change: (transaction, { body }) => changeStream(transaction, body, method === 'PUT').id,
      }),
    ),
    streamChanging(dependencies, {
      method: 'DELETE',
      path: '/stream',
      summary: 'Delete a stream of security events',
      description: 'What waits for it is dropped.',
      query: z.strictObject({ stream_id: idSchema }),
      answer: 'It is gone.',
      change: (transaction, { query }) => deleteStream(transaction, ownStream(transaction, query.stream_id)),
    }),
  ];
}

/** SSF 1.0, 8.1.2. */
export function statusEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: `${signalsBase}/status`,
      summary: 'Read the status of a stream',
      tags,
      access: read,
      query: z.strictObject({ stream_id: idSchema }),
      responses: { 200: statusSchema },
      handler({ caller, query }) {
        const { store } = caller.organization;
        return dependencies.engine.read(() =>
          json(200, statusView(ofCaller(caller, streamRecords.get(store, query.stream_id)))),
        );
      },
    }),
    streamChanging(dependencies, {
      method: 'POST',
      path: '/status',
      summary: 'Enable, pause or disable a stream',
      description:
        'A paused stream sends nothing and keeps its events, as long as events are kept. A disabled one drops them, and begins with the events that follow once it is enabled.',
      body: statusBody,
      answer: { status: 200, schema: statusSchema, of: statusView },
      change: (transaction, { body: { stream_id: id, ...wanted } }) =>
        setStatus(transaction, ownStream(transaction, id), wanted).id,
    }),
  ];
}
