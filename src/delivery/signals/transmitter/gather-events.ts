import { EngineError } from '#engine';
import { type EventFeed, eventRecords } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { eventForStream } from '../events/event-for-stream.ts';
import { tokenIdOf } from '../events/security-event.ts';
import { type StreamEntry, streamRecords } from '../records/stream-record.ts';
import { positionRecords, WAITING_MAX, WAITING_MS, waitingRecords } from '../records/waiting-record.ts';

export interface GatherDependencies extends Pick<AdminDependencies, 'engine' | 'clock'> {
  readonly feed: EventFeed;
}

/** Steps of one request; what is left is for the next. */
const STEPS_MAX = 4;

/**
 * Puts the events of the organization that are for a polled stream among those that wait for it, and keeps with them how
 * far it has come. Answers whether there may be more.
 */
export async function gatherEvents(
  dependencies: GatherDependencies,
  organization: Organization,
  streamId: string,
): Promise<boolean> {
  const { engine } = dependencies;
  for (let step = 0; step < STEPS_MAX; step++) {
    const planned = engine.read(() => plan(dependencies, organization, streamId));
    if (planned === undefined) return false;
    if (planned === 'full') return true;
    try {
      await engine.submit(engine.command(planned.changes, { preconditions: planned.preconditions }));
    } catch (error) {
      // another request of the receiver has gathered them meanwhile, or the stream was changed
      if (!(error instanceof EngineError && error.code === 'precondition_failed')) throw error;
    }
  }
  return true;
}

function plan({ clock, feed }: GatherDependencies, organization: Organization, streamId: string) {
  const { store } = organization;
  const stream = streamRecords.get(store, streamId);
  if (stream === undefined || stream.document.status !== 'enabled' || stream.document.method !== 'poll')
    return undefined;
  const room = WAITING_MAX - waitingRecords.index(store).counted('#stream', streamId);
  if (room <= 0) return 'full';
  const known = positionRecords.get(store, streamId);
  const from = Math.min(known?.document.position ?? Number.POSITIVE_INFINITY, eventRecords.appended(store));
  const page = feed.read(store, from, room);
  // what is no longer kept cannot be told
  const position = page.kind === 'behind' ? page.oldest - 1 : page.position;
  if (position === from) return undefined;
  const events = page.kind === 'behind' ? [] : page.events;
  const keptUntil = clock.now() + WAITING_MS;
  return {
    changes: [
      ...events.flatMap(({ event }) => waiting(organization, stream, event, keptUntil)),
      positionRecords.put(store, streamId, { position }),
    ],
    preconditions: [streamRecords.same(store, stream), positionRecords.asRead(store, streamId, known)],
  };
}

function waiting(
  organization: Organization,
  stream: StreamEntry,
  stored: Parameters<typeof eventForStream>[2],
  keptUntil: number,
) {
  const event = eventForStream(organization, stream, stored);
  if (event === undefined) return [];
  const id = tokenIdOf(stream.id, event.eventId);
  return [waitingRecords.put(organization.store, id, { streamId: stream.id, event, keptUntil })];
}
