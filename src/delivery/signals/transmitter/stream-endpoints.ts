import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { idSchema, transact } from '../../../kernel/transactions/index.ts';
import { streamRecords, streamsOf } from '../records/stream-record.ts';
import { changedStreamBody, newStreamBody } from './stream-bodies.ts';
import { changeStream, clientOf, createStream, ofCaller, ownStream } from './stream-changes.ts';
import { deleteStream } from './stream-lifecycle.ts';
import { streamSchema, streamView } from './stream-view.ts';
import { signalsBase, type TransmitterDependencies, tags } from './transmitter-dependencies.ts';

const endpoint = endpointFor<Caller>();
const manage = { scope: 'ssf.manage' } as const;
const path = `${signalsBase}/stream` as const;

/** The configuration endpoint (SSF 1.0, 8.1.1). A client sees its own streams alone. */
export function streamEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  const { engine, baseUrl } = dependencies;
  return [
    endpoint({
      method: 'POST',
      path,
      summary: 'Create a stream of security events',
      description: 'It begins with the events that follow. A client has ten streams at most.',
      tags,
      access: manage,
      body: newStreamBody,
      responses: { 201: streamSchema },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const made = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
          createStream(transaction, call.body),
        );
        return json(201, streamView(baseUrl, call.caller.organization.slug, made));
      },
    }),
    endpoint({
      method: 'GET',
      path,
      summary: 'Read a stream of security events, or all of the caller’s',
      tags,
      access: { scope: 'ssf.read' },
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
    ...(['PATCH', 'PUT'] as const).map((method) => changeEndpoint(dependencies, method)),
    deleteEndpoint(dependencies),
  ];
}

function changeEndpoint(dependencies: TransmitterDependencies, method: 'PATCH' | 'PUT'): Endpoint {
  const { baseUrl } = dependencies;
  return endpoint({
    method,
    path,
    summary: method === 'PUT' ? 'Replace a stream of security events' : 'Change a stream of security events',
    description:
      'What the transmitter says of a stream may be sent along as it is. The header of another address is dropped.',
    tags,
    access: manage,
    body: changedStreamBody,
    responses: { 200: streamSchema },
    errors: ['unavailable'],
    async handler(call) {
      const changed = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
        changeStream(transaction, call.body, method === 'PUT'),
      );
      return json(200, streamView(baseUrl, call.caller.organization.slug, changed));
    },
  });
}

function deleteEndpoint(dependencies: TransmitterDependencies): Endpoint {
  return endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a stream of security events',
    description: 'What waits for it is dropped.',
    tags,
    access: manage,
    query: z.strictObject({ stream_id: idSchema }),
    responses: { 204: { description: 'It is gone.' } },
    errors: ['unavailable'],
    async handler(call) {
      await transact(dependencies, call.caller, factsOf(call), (transaction) =>
        deleteStream(transaction, ownStream(transaction, call.query.stream_id)),
      );
      return noContent();
    },
  });
}
