import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { deliveryId, deliveryRecords, newDelivery, subscriptionKey } from '../../dispatch/index.ts';
import { streamUpdated } from '../events/event-for-stream.ts';
import { tokenIdOf } from '../events/security-event.ts';
import { channelName, type StreamEntry, streamRecords } from './stream-record.ts';
import { WAITING_MS, waitingRecords } from './waiting-record.ts';

/** How long a push of it is tried: longer than all of its attempts take. */
const ANNOUNCED_MS = 86_400_000;

/**
 * Tells the receiver of a stream that its status is another one, which it has not asked for (SSF 1.0, 8.1.5). The entry is
 * put as it is then.
 */
export function announceStatus(transaction: OrganizationTransaction, { id, document }: StreamEntry): void {
  const { store, now } = transaction;
  const { status, method } = document;
  const event = streamUpdated(transaction.newId(), now, document);
  if (method === 'poll') {
    const keptUntil = now + WAITING_MS;
    transaction.put(waitingRecords, tokenIdOf(id, event.eventId), { streamId: id, event, keptUntil });
    return;
  }
  const key = subscriptionKey(channelName, id);
  const stored = { id: event.eventId, type: event.uri, createdAt: now, data: {} };
  const contentType = 'application/secevent+jwt';
  const message = { type: event.uri, resources: [], payload: JSON.stringify(event), contentType };
  const delivery = newDelivery(key, stored, message, { now, keptMs: WAITING_MS });
  transaction.change([deliveryRecords.put(store, deliveryId(key, stored), delivery)]);
  // the dispatcher serves it until then
  if (status !== 'enabled') transaction.put(streamRecords, id, { ...document, announcedUntil: now + ANNOUNCED_MS });
}
