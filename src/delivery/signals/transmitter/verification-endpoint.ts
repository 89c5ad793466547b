import { type Endpoint, endpointFor, noContent, ProblemError, tooManyRequests } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { transact } from '../../../kernel/transactions/index.ts';
import { streamRecords } from '../records/stream-record.ts';
import { streamVerification } from '../records/stream-verification.ts';
import { tellOfStream } from '../records/tell-of-stream.ts';
import { verificationBody } from './stream-bodies.ts';
import { ownStream } from './stream-changes.ts';
import { VERIFICATION_GAP_S } from './stream-view.ts';
import { signalsBase, type TransmitterDependencies, tags } from './transmitter-dependencies.ts';

const endpoint = endpointFor<Caller>();

/** SSF 1.0, 8.1.4: the event goes the way of all others, behind those that wait. */
export function verificationEndpoint(dependencies: TransmitterDependencies): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${signalsBase}/verify`,
    summary: 'Ask for a verification event',
    description: `At most once in ${VERIFICATION_GAP_S} seconds for each stream. A disabled one drops it.`,
    tags,
    access: { scope: 'ssf.manage' },
    body: verificationBody,
    responses: { 204: { description: 'The event is on its way.' } },
    errors: ['unavailable'],
    async handler(call) {
      const { stream_id: id, state = null } = call.body;
      await transact(dependencies, call.caller, factsOf(call), (transaction) => {
        const { now } = transaction;
        const entry = ownStream(transaction, id);
        const { document } = entry;
        const waitMs = (document.verifiedAt ?? Number.NEGATIVE_INFINITY) + VERIFICATION_GAP_S * 1000 - now;
        if (waitMs > 0) throw new ProblemError(tooManyRequests(Math.ceil(waitMs / 1000)));
        transaction.put(streamRecords, id, { ...document, verifiedAt: now });
        transaction.emit(streamVerification.of({ streamId: id, clientId: document.clientId, state }));
        tellOfStream(transaction, 'verify', entry);
      });
      return noContent();
    },
  });
}
