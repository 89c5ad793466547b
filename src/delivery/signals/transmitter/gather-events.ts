import { commit, type StoreChanges } from '../../../kernel/commits/index.ts';
import { type EventFeed, eventRecords } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { eventForStream } from '../events/event-for-stream.ts';
import { tokenIdOf } from '../events/security-event.ts';
import { streamRecords } from '../records/stream-record.ts';
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
    const found = await commit(engine, organization.store, (changes) =>
      gather(dependencies, organization, streamId, changes),
    );
    if (found !== 'some') return found === 'full';
  }
  return true;
}

function gather(
  { clock, feed }: GatherDependencies,
  organization: Organization,
  streamId: string,
  changes: StoreChanges,
): 'none' | 'some' | 'full' {
  const { store } = organization;
  const stream = changes.get(streamRecords, streamId);
  if (stream === undefined || stream.document.status !== 'enabled' || stream.document.method !== 'poll') return 'none';
  const room = WAITING_MAX - waitingRecords.index(store).counted('#stream', streamId);
  if (room <= 0) return 'full';
  const known = changes.get(positionRecords, streamId);
  const from = Math.min(known?.document.position ?? Number.POSITIVE_INFINITY, eventRecords.appended(store));
  const page = feed.read(store, from, room);
  // what is no longer kept cannot be told
  const position = page.kind === 'behind' ? page.oldest - 1 : page.position;
  if (position === from) return 'none';
  const events = page.kind === 'behind' ? [] : page.events;
  const keptUntil = clock.now() + WAITING_MS;
  for (const { event: stored } of events) {
    const event = eventForStream(organization, stream, stored);
    if (event !== undefined)
      changes.put(waitingRecords, tokenIdOf(streamId, event.eventId), { streamId, event, keptUntil });
  }
  changes.put(positionRecords, streamId, { position });
  return 'some';
}
