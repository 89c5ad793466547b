import { z } from 'zod';
import type { Change } from '#engine';
import { type SweepStep, sweepOldest, type WalkDependencies } from '../organizations/index.ts';
import { defineRecord } from '../records/index.ts';
import type { DomainEvent } from './define-event.ts';

/** An event as it stands in the store. Records of one organization are in the order of its commits. */
export const eventRecords = defineRecord({
  collection: 'events',
  holds: 'something that happened, for programs that follow it; for 30 days by default, and at most a million',
  schema: z.strictObject({
    /** The same however often it is delivered. */
    id: z.string(),
    type: z.string(),
    /** Milliseconds since the epoch. */
    createdAt: z.number(),
    data: z.record(z.string(), z.unknown()),
  }),
});

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventMaker {
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Puts an event among the changes that cause it: there is no event without them. */
export function recordEvent(maker: EventMaker, store: { readonly name: string }, { type, data }: DomainEvent): Change {
  return eventRecords.append(store, {
    id: maker.newId(),
    type,
    createdAt: maker.now(),
    data: data as StoredEvent['data'], // objects all
  });
}

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
