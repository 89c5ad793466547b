import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { idSchema, transact } from '../../../kernel/transactions/index.ts';
import { streamRecords } from '../records/stream-record.ts';
import { statusBody } from './stream-bodies.ts';
import { ofCaller, ownStream } from './stream-changes.ts';
import { setStatus } from './stream-lifecycle.ts';
import { statusSchema, statusView } from './stream-view.ts';
import { signalsBase, type TransmitterDependencies, tags } from './transmitter-dependencies.ts';

const endpoint = endpointFor<Caller>();
const path = `${signalsBase}/status` as const;

/** SSF 1.0, 8.1.2. */
export function statusEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path,
      summary: 'Read the status of a stream',
      tags,
      access: { scope: 'ssf.read' },
      query: z.strictObject({ stream_id: idSchema }),
      responses: { 200: statusSchema },
      handler({ caller, query }) {
        const { store } = caller.organization;
        return dependencies.engine.read(() =>
          json(200, statusView(ofCaller(caller, streamRecords.get(store, query.stream_id)))),
        );
      },
    }),
    endpoint({
      method: 'POST',
      path,
      summary: 'Enable, pause or disable a stream',
      description:
        'A paused stream sends nothing and keeps its events, as long as events are kept. A disabled one drops them, and begins with the events that follow once it is enabled.',
      tags,
      access: { scope: 'ssf.manage' },
      body: statusBody,
      responses: { 200: statusSchema },
      errors: ['unavailable'],
      async handler(call) {
        const { stream_id: id, ...wanted } = call.body;
        const entry = await transact(dependencies, call.caller, factsOf(call), (transaction) =>
          setStatus(transaction, ownStream(transaction, id), wanted),
        );
        return json(200, statusView(entry));
      },
    }),
  ];
}
