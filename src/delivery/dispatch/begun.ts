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
  const { delivered = 0, failed = 0 } = subscriptionStateRecords.get(store, key)?.document ?? {};
  const position = eventRecords.appended(store);
  return subscriptionStateRecords.put(store, key, { position, delivered, failed, consecutiveFailures: 0 });
}
