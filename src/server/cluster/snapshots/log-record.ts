import { z } from 'zod';
import { defineRecord } from '../../../kernel/records/index.ts';

/** In the platform's store, where nodes share a log. The node that has the lease writes it. */
export const logRecords = defineRecord({
  collection: 'cluster_log',
  holds:
    'the last snapshot of the shared log; how far each node was, and what it read, when it was last seen; one record',
  schema: z.strictObject({
    /** None before the first one. */
    snapshot: z
      .strictObject({
        sequence: z.int(),
        bytes: z.int(),
        /** Milliseconds since the epoch. */
        time: z.int(),
      })
      .optional(),
    /** Why the last one that was due could not be made. */
    problem: z.string().optional(),
    nodes: z.array(
      z.strictObject({
        name: z.string(),
        sequence: z.int(),
        seen: z.int(),
        formats: z.strictObject({ log: z.int(), store: z.int() }).optional(),
      }),
    ),
  }),
});

export const logRecordId = 'log';
