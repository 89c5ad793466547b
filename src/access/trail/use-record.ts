import { z } from 'zod';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';

/** How long a use stays on record. */
const KEPT_MS = 30 * 86_400_000;

/**
 * What elevated tokens were used for: one record for each request, with a UUID of version 7 as id. Of one elevation the
 * last `USES_MAX` are kept. Times are in milliseconds.
 */
export const useRecords = defineRecord({
  collection: 'elevation_uses',
  holds: 'a request that was made with what was lent to an agent: never its input',
  schema: z.strictObject({
    taskId: z.string(),
    at: z.number(),
    method: z.string(),
    /** As the reference has it, without what stood in the place of parameters. */
    path: z.string(),
    status: z.int(),
    /** Of a question about one permission: which, about which object, and the answer. */
    permission: z.string().exactOptional(),
    object: z.string().exactOptional(),
    allowed: z.boolean().exactOptional(),
    /** Of a request with several questions: how many. */
    questions: z.int().exactOptional(),
    /** How many uses before this one were not written down, because there were too many at once. */
    omitted: z.int().exactOptional(),
  }),
  indexes: ({ taskId }) => ({ task: taskId }),
  expires: { index: 'expires', at: ({ at }) => at + KEPT_MS },
});

export type UseRecord = DocumentOf<typeof useRecords>;

/** Of one elevation. */
export const USES_MAX = 500;
