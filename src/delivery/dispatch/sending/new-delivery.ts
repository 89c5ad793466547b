import type { StoredEvent } from '../../../kernel/events/index.ts';
import type { Message } from '../channel.ts';
import type { DeliveryRecord } from '../records/delivery-record.ts';

/** A delivery of which no attempt was made yet. */
export function newDelivery(
  subscription: string,
  event: StoredEvent,
  message: Message,
  { now, keptMs }: { readonly now: number; readonly keptMs: number },
): DeliveryRecord {
  const { type, resources, payload, contentType } = message;
  return {
    subscription,
    eventId: event.id,
    type,
    resources,
    payload,
    contentType,
    status: 'pending',
    attempts: [],
    attempted: 0,
    round: 1,
    createdAt: now,
    dueAt: now,
    keptUntil: now + keptMs,
  };
}
