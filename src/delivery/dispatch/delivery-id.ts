import { createHash } from 'node:crypto';

/**
 * The id of what an event becomes for a subscription: a UUID of version 8 (RFC 9562, 5.8) that begins with the event's
 * time. It is the same however often the delivery is begun; `replay` makes another.
 */
export function deliveryId(
  subscription: string,
  event: { readonly id: string; readonly createdAt: number },
  replay = '',
) {
  const digest = createHash('sha256').update(`${subscription}\n${event.id}\n${replay}`).digest('hex');
  const time = event.createdAt.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(digest[3] ?? '0', 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

/** When the event of a delivery happened, in milliseconds since the epoch. */
export function timeOfDelivery(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
