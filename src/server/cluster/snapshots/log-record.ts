import { z } from 'zod';
import { defineRecord } from '../../../kernel/records/index.ts';

/** A node of the cluster, as the node that keeps the snapshots knows it. */
const knownNode = z.strictObject({
  /** Host and port: the same after a restart. */
  name: z.string(),
  /** The last message that it had applied when it was seen. */
  sequence: z.int(),
  /** Milliseconds since the epoch. */
  seen: z.int(),
  /** The newest that it reads; undefined where its version did not tell. */
  formats: z.strictObject({ log: z.int(), store: z.int() }).optional(),
});

export type KnownNode = Readonly<z.infer<typeof knownNode>>;

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
    nodes: z.array(knownNode),
  }),
});

export const logRecordId = 'log';
