import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/**
 * Clients that are still to be told that a session has ended. A record's id is the `jti` of its logout tokens, so that a
 * client can tell a repetition. Times are in milliseconds.
 */
export const deliveryRecords = defineRecord({
  collection: 'logout_deliveries',
  holds: 'a client that is still to be told that a session has ended',
  schema: z.strictObject({
    clientId: z.string(),
    sessionId: z.string(),
    userId: z.string(),
    /** So many were made. */
    attempts: z.int(),
    createdAt: z.number(),
    /** The next attempt is not made before. */
    dueAt: z.number(),
  }),
  indexes: ({ clientId }) => ({ client: clientId }),
});

export type DeliveryEntry = RecordEntry<DocumentOf<typeof deliveryRecords>>;
