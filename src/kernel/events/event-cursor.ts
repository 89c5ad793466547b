import { z } from 'zod';
import { defineRecord } from '../records/index.ts';

/** How far a subscriber has come, by its name. */
export const eventCursorRecords = defineRecord({
  collection: 'event_cursors',
  holds: 'how far a subscriber has read the events',
  schema: z.strictObject({
    /** The number of the last event that it had; 0 before the first. */
    position: z.int(),
    /** Milliseconds since the epoch. */
    updatedAt: z.number(),
  }),
});
