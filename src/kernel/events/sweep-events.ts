import { type Store, sequenceId } from '#engine';
import type { SetAside } from '../../platform/index.ts';
import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../organizations/index.ts';
import { eventRecords } from './event-record.ts';

export interface EventRetention {
  /** How long events are kept, in milliseconds. */
  readonly eventRetentionMs: number;
  /** How many, in each organization. */
  readonly eventsPerOrganization: number;
}

/** Removes, in each organization, events that have been kept long enough or are too many: the oldest first. */
export function sweepEvents(
  dependencies: WalkDependencies,
  { eventRetentionMs, eventsPerOrganization }: EventRetention,
): SweepStep {
  return sweepOrganizations(dependencies, 'events', (store, limit, aside) => {
    const bounds = {
      before: dependencies.clock.now() - eventRetentionMs,
      through: eventRecords.appended(store) - eventsPerOrganization,
    };
    return { changes: eventRecords.deletions(store, overIn(store, bounds, limit, aside)) };
  });
}

interface Bounds {
  /** Events from before this time are over (milliseconds since the epoch). */
  readonly before: number;
  /** So are those up to this number. */
  readonly through: number;
}

/** Damaged events stay, for "relata verify" to tell of. */
function overIn(store: Store, { before, through }: Bounds, limit: number, aside: SetAside): string[] {
  const last = sequenceId(Math.max(0, through));
  const over: string[] = [];
  for (const id of eventRecords.index(store).ids(undefined, '', { limit: limit + aside.size })) {
    const createdAt = aside.attempt(eventRecords.collection, id, () => eventRecords.get(store, id)?.document.createdAt);
    if (createdAt === undefined) continue;
    if (createdAt >= before && id > last) break;
    over.push(id);
  }
  return over;
}
