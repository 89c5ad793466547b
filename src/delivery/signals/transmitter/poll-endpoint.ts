import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Endpoint, json } from '../../../http/index.ts';
import { factsOf, type RequestFacts } from '../../../kernel/audit/index.ts';
import { EventFeed } from '../../../kernel/events/index.ts';
import { type Caller, endpoint } from '../../../kernel/organizations/index.ts';
import { existing, requireStillValid, transact } from '../../../kernel/transactions/index.ts';
import { signEvent } from '../events/security-event.ts';
import { type StreamEntry, streamRecords, tellOfStream } from '../records/stream-record.ts';
import { announcementIds, waitingIds, waitingRecords } from '../records/waiting-record.ts';
import { type GatherDependencies, gatherEvents } from './gather-events.ts';
import { ofCaller, ownStream } from './stream-changes.ts';
import { signalsBase, type TransmitterDependencies, tags } from './transmitter-endpoint.ts';

/** Events in one answer: each is signed for it. */
const EVENTS_MAX = 100;
const ACKNOWLEDGED_MAX = 1_000;
/** Longest wait for an event; requests of one thread that wait, in all and of one organization. */
const WAIT_MS = 10_000;
const LOOK_MS = 200;
const WAITERS_MAX = 200;
const WAITERS_OF_ONE = 50;

const tokenId = z.string().min(1).max(256);
const description = z.string().max(1_000);

const pollBody = z.strictObject({
  maxEvents: z.int().min(0).max(1_000_000).optional().describe(`At most ${EVENTS_MAX} are sent. 0 acknowledges alone`),
  returnImmediately: z
    .boolean()
    .optional()
    .describe(`If false, waits up to ${WAIT_MS / 1000} seconds for an event`),
  ack: z.array(tokenId).max(ACKNOWLEDGED_MAX).optional().describe('Events that were received'),
  setErrs: z
    .record(tokenId, z.strictObject({ err: z.string().min(1).max(128), description: description.optional() }))
    .refine((given) => Object.keys(given).length <= EVENTS_MAX, `has at most ${EVENTS_MAX} members`)
    .optional()
    .describe('Events that were received and cannot be used: they are not sent again'),
});

const answer = z.strictObject({
  sets: z.record(z.string(), z.string()).describe('Security event tokens, by their jti'),
  moreAvailable: z.boolean().optional(),
});

type PollBody = z.output<typeof pollBody>;
type PollDependencies = TransmitterDependencies & GatherDependencies;

/** RFC 8936: an event is sent until it is acknowledged, for a week. */
export function pollEndpoint(given: TransmitterDependencies): Endpoint {
  const dependencies: PollDependencies = { ...given, feed: new EventFeed(given) };
  const { engine } = dependencies;
  let waiters = 0;
  const own = new Map<string, number>();
  return endpoint({
    method: 'POST',
    path: `${signalsBase}/poll/{streamId}`,
    summary: 'Poll the events of a stream',
    description: 'Events that were sent are sent again until they are acknowledged.',
    tags,
    access: { scope: 'ssf.read' },
    body: pollBody,
    responses: { 200: answer },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const id = call.params.streamId;
      const facts = factsOf(call);
      engine.read(() => polledStream(caller, id));
      await acknowledge(dependencies, caller, facts, id, body);
      const max = Math.min(body.maxEvents ?? EVENTS_MAX, EVENTS_MAX);
      let hasMore = await gatherEvents(dependencies, caller.organization, id);
      const { id: organization } = caller.organization;
      const others = own.get(organization) ?? 0;
      const hasRoom = waiters < WAITERS_MAX && others < WAITERS_OF_ONE;
      if (max > 0 && body.returnImmediately !== true && hasRoom) {
        waiters++;
        own.set(organization, others + 1);
        try {
          hasMore = await waitForEvents(dependencies, caller, id, hasMore);
        } finally {
          waiters--;
          const left = (own.get(organization) ?? 1) - 1;
          if (left === 0) own.delete(organization);
          else own.set(organization, left);
        }
      }
      return json(200, await taken(dependencies, caller, id, max, hasMore));
    },
  });
}

/** To be called inside `Engine.read`. @throws ProblemError 404 */
function polledStream(caller: Caller, id: string): StreamEntry {
  const entry = ofCaller(caller, streamRecords.get(caller.organization.store, id));
  return existing(entry.document.method === 'poll' ? entry : undefined, 'The events of this stream are pushed.');
}

/** What is no event of the stream, or no longer, is ignored: an acknowledgement may come twice. */
async function acknowledge(
  dependencies: PollDependencies,
  caller: Caller,
  facts: RequestFacts,
  streamId: string,
  { ack = [], setErrs = {} }: PollBody,
): Promise<void> {
  const ids = [...new Set([...ack, ...Object.keys(setErrs)])];
  if (ids.length === 0) return;
  await transact(dependencies, caller, facts, (transaction) => {
    const { store } = transaction;
    const isOwn = (id: string) => waitingRecords.get(store, id)?.document.streamId === streamId;
    const own = ids.filter(isOwn);
    transaction.change(waitingRecords.deletions(store, own));
    const faults = own.flatMap((id) => (Object.hasOwn(setErrs, id) ? [{ jti: id, ...setErrs[id] }] : []));
    if (faults.length > 0) tellOfStream(transaction, 'refuse_events', ownStream(transaction, streamId), { faults });
  });
}

async function waitForEvents(
  dependencies: PollDependencies,
  caller: Caller,
  streamId: string,
  hadMore: boolean,
): Promise<boolean> {
  const { engine } = dependencies;
  const { organization } = caller;
  const isEmpty = () => engine.read(() => waitingIds(organization.store, streamId, 1).length === 0);
  let hasMore = hadMore;
  let seen: number | undefined;
  for (let waited = 0; waited < WAIT_MS && isEmpty(); waited += LOOK_MS) {
    await sleep(LOOK_MS);
    const revision = engine.revision();
    if (revision === seen && !hasMore) continue;
    seen = revision;
    // whoever waits may have lost the scope meanwhile, or the organization may be gone
    engine.read(() => requireStillValid(caller));
    hasMore = await gatherEvents(dependencies, organization, streamId);
  }
  return hasMore;
}

async function taken(
  dependencies: PollDependencies,
  caller: Caller,
  streamId: string,
  max: number,
  hasMore: boolean,
): Promise<z.output<typeof answer>> {
  const { organization } = caller;
  const { store } = organization;
  const { stream, events, isMore } = dependencies.engine.read(() => {
    requireStillValid(caller);
    const entry = polledStream(caller, streamId);
    // one that is not enabled has nothing but that it is not
    const idsOf = entry.document.status === 'enabled' ? waitingIds : announcementIds;
    const ids = idsOf(store, streamId, max + 1);
    return {
      stream: entry,
      events: ids.slice(0, max).flatMap((id) => waitingRecords.get(store, id) ?? []),
      isMore: ids.length > max,
    };
  });
  const signed = events.map(
    async ({ id, document: { event } }): Promise<[string, string]> => [
      id,
      await signEvent(dependencies, organization, stream, event),
    ],
  );
  const sets = Object.fromEntries(await Promise.all(signed));
  return { sets, ...(isMore || hasMore ? { moreAvailable: true } : {}) };
}
