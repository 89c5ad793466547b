import { z } from 'zod';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';

/**
 * Access requests: which denial and which `Idempotency-Key` a task came of. A record's id is that of its task. Times are
 * in milliseconds.
 */
export const requestRecords = defineRecord({
  collection: 'access_requests',
  holds: 'the denial that a task of an agent came of, so that one request makes one task',
  schema: z.strictObject({
    /** Digests of the agent with the evaluation, and with the key. */
    evaluation: z.string(),
    key: z.string().exactOptional(),
    /** Of the body. */
    digest: z.string(),
    until: z.number(),
  }),
  unique: ({ evaluation, key }): Keys => ({ evaluation, ...(key === undefined ? {} : { key }) }),
  expires: { index: 'until', at: ({ until }) => until },
});

/** What a request is found by when it is sent again. */
export type RequestMarks = Omit<DocumentOf<typeof requestRecords>, 'until'>;
