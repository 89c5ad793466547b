import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** In the year 33658. */
const NEVER = 999_999_999_999_999;

/** One try to hand a delivery over. */
const attempt = z.strictObject({
  /** Milliseconds since the epoch. */
  at: z.number(),
  durationMs: z.number(),
  /** Absent where nothing answered. */
  status: z.int().exactOptional(),
  /** Why it is none, or no success: `timeout`, `unreachable`. */
  error: z.string().exactOptional(),
  /** Of which round it is; absent in the first. */
  round: z.int().exactOptional(),
  /** The begin of what was answered, without secrets. */
  response: z.string().exactOptional(),
});

/**
 * An event on its way to one subscription. The id is made from both (`deliveryId`), so that it is the same however often it
 * is begun, and begins with the event's time, so that ids are in the order of time. Times are in milliseconds.
 */
export const deliveryRecords = defineRecord({
  collection: 'deliveries',
  holds: 'an event that was sent to a subscription, with what was answered',
  schema: z.strictObject({
    /** `subscriptionKey` of it. */
    subscription: z.string(),
    eventId: z.string(),
    /** As the subscription's catalog names it. */
    type: z.string(),
    /** What the event is about: `user:<id>`. */
    resources: z.array(z.string()).readonly(),
    /** The body, byte for byte the same in each attempt. */
    payload: z.string(),
    contentType: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    /** The last of them; `attempted` counts all. */
    attempts: z.array(attempt).readonly(),
    attempted: z.int(),
    /** Of this round: a redelivery begins another. */
    round: z.int(),
    createdAt: z.number(),
    /** While it is pending: the next attempt is not made before. */
    dueAt: z.number().exactOptional(),
    keptUntil: z.number(),
  }),
  indexes: ({ subscription, status, dueAt }) => ({
    '#subscription': subscription,
    '#outcome': `${subscription} ${status}`,
    ...(dueAt === undefined ? {} : { due: dueKey(dueAt), [dueOf(subscription)]: dueKey(dueAt) }),
  }),
  // what is still to be sent stays, however long the service was down
  expires: { index: 'until', at: ({ keptUntil, dueAt }) => (dueAt === undefined ? keptUntil : NEVER) },
});

/** The index of what is due to one subscription: however much that is, what is due to another is found beside it. */
export function dueOf(subscription: string): string {
  return `due ${subscription}`;
}

/** A time as a key of these indexes, in the order of times. */
export function dueKey(time: number): string {
  return String(time).padStart(16, '0');
}

export type DeliveryRecord = DocumentOf<typeof deliveryRecords>;
export type DeliveryEntry = RecordEntry<DeliveryRecord>;
export type Attempt = DeliveryRecord['attempts'][number];
