import { z } from 'zod';
import { defineRecord } from '../../kernel/records/index.ts';

/** In the platform's store, where nodes share a log. */
export const leaseRecords = defineRecord({
  collection: 'cluster_lease',
  holds: 'which node of a cluster does the work that one does for all, and that it still runs; two records',
  schema: z.strictObject({ holder: z.string(), name: z.string(), count: z.int() }),
});

/** Changes when another node takes over. */
export const workId = 'work';
/** Changes every few seconds. */
export const beatId = 'beat';
