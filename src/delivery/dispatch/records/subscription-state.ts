import { z } from 'zod';
import type { Change, Store } from '#engine';
import { eventRecords } from '../../../kernel/events/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** How far a subscription has come, and how it fares. The id is its `subscriptionKey`. Times are in milliseconds. */
export const subscriptionStateRecords = defineRecord({
  collection: 'subscription_states',
  holds: 'how far the events have been sent to a subscription, and how many of them arrived',
  schema: z.strictObject({
    /** The number of the last event of which the first attempt was made, or that was none of its. */
    position: z.int(),
    /** Deliveries that arrived, and that failed for good. */
    delivered: z.int(),
    failed: z.int(),
    /** Deliveries that failed for good, one after the other. */
    consecutiveFailures: z.int(),
    /** When the first of them failed. */
    failingSince: z.number().exactOptional(),
    lastDeliveredAt: z.number().exactOptional(),
    lastFailedAt: z.number().exactOptional(),
    /** The receiver asked for more time: no attempt is made before. */
    pausedUntil: z.number().exactOptional(),
  }),
});

export type SubscriptionState = DocumentOf<typeof subscriptionStateRecords>;

/** Of a subscription in its state and its deliveries: `webhook:<id>`. */
export function subscriptionKey(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/**
 * For the commit that creates or enables a subscription: it gets the events that follow, and what failed before no
 * longer counts. Without it, a subscription begins at the events that the dispatcher finds when it first sees it. To be
 * called inside `Engine.read`.
 * @param key `subscriptionKey` of it
 */
export function begun(store: Store, key: string): Change {
  const before = subscriptionStateRecords.get(store, key)?.document;
  const { failingSince: _since, pausedUntil: _until, ...counted } = before ?? unseen(store);
  const fresh = { position: eventRecords.appended(store), consecutiveFailures: 0 };
  return subscriptionStateRecords.put(store, key, { ...counted, ...fresh });
}

/** Of a subscription that has had nothing, from the last event on. */
export function unseen(store: Store): SubscriptionState {
  return { position: eventRecords.appended(store), delivered: 0, failed: 0, consecutiveFailures: 0 };
}
