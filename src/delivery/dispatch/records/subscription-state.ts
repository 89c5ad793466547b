import { z } from 'zod';
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
