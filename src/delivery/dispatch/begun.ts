import type { Change, Store } from '#engine';
import { eventRecords } from '../../kernel/events/index.ts';
import { subscriptionStateRecords } from './records/subscription-state.ts';

/**
 * For the commit that creates or enables a subscription: it gets the events that follow, and what failed before no
 * longer counts. Without it, a subscription begins at the events that the dispatcher finds when it first sees it. To be
 * called inside `Engine.read`.
 * @param key `subscriptionKey` of it
 */
export function begun(store: Store, key: string): Change {
  const {
    delivered = 0,
    failed = 0,
    lastDeliveredAt,
    lastFailedAt,
  } = subscriptionStateRecords.get(store, key)?.document ?? {};
  return subscriptionStateRecords.put(store, key, {
    position: eventRecords.appended(store),
    delivered,
    failed,
    consecutiveFailures: 0,
    ...(lastDeliveredAt === undefined ? {} : { lastDeliveredAt }),
    ...(lastFailedAt === undefined ? {} : { lastFailedAt }),
  });
}
