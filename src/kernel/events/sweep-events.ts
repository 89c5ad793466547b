import { type SweepStep, sweepOldest, type WalkDependencies } from '../organizations/index.ts';
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
  return sweepOldest(dependencies, {
    job: 'events',
    records: eventRecords,
    at: ({ createdAt }) => createdAt,
    keptMs: eventRetentionMs,
    keptMax: eventsPerOrganization,
  });
}
