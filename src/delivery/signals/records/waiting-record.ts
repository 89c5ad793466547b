import { z } from 'zod';
import type { Change, Store } from '#engine';
import { defineRecord } from '../../../kernel/records/index.ts';
import { streamUpdatedUri } from '../events/event-uris.ts';
import { securityEventSchema } from '../events/security-event.ts';

/** How long an event waits for the receiver of a stream to take it. */
export const WAITING_MS = 7 * 86_400_000;
/** Of one stream; what follows waits among the events of the organization. */
export const WAITING_MAX = 1_000;

/** Events that the receiver of a polled stream has not yet acknowledged. The id is the `jti`. */
export const waitingRecords = defineRecord({
  collection: 'signal_events',
  holds: 'a security event that its receiver has not acknowledged; for a week',
  schema: z.strictObject({ streamId: z.string(), event: securityEventSchema, keptUntil: z.number() }),
  indexes: ({ streamId, event: { uri } }) => ({
    '#stream': streamId,
    ...(uri === streamUpdatedUri ? { announced: streamId } : {}),
  }),
  expires: { index: 'until', at: ({ keptUntil }) => keptUntil },
});

/** How far a polled stream has come in the events of its organization. The id is the stream's. */
export const positionRecords = defineRecord({
  collection: 'signal_positions',
  holds: 'how far a polled stream has read the events',
  schema: z.strictObject({ position: z.int() }),
});

/** In the order of time. To be called inside `Engine.read`. */
export function waitingIds(store: Store, streamId: string, limit: number): string[] {
  return waitingRecords.index(store).ids('#stream', streamId, { limit });
}

/** What tells the receiver of a stream that it is no longer enabled. To be called inside `Engine.read`. */
export function announcementIds(store: Store, streamId: string, limit: number): string[] {
  return waitingRecords.index(store).ids('announced', streamId, { limit });
}

/** What waits is dropped. To be called inside `Engine.read`. */
export function dropWaiting(store: Store, streamId: string): Change[] {
  return waitingRecords.deletions(store, waitingIds(store, streamId, 2 * WAITING_MAX));
}
