import { z } from 'zod';
import { actorTypes } from '../../../kernel/actors/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** SCIM requests and their outcomes, in the order in which they were recorded. Times are in milliseconds. */
export const scimRequestRecords = defineRecord({
  collection: 'scim_requests',
  holds: 'a request of SCIM and what became of it, without bodies; the last 5,000, for 30 days',
  schema: z.strictObject({
    requestId: z.string(),
    at: z.number(),
    durationMs: z.number(),
    method: z.string(),
    /** Without the query. */
    path: z.string(),
    filter: z.string().exactOptional(),
    status: z.number(),
    scimType: z.string().exactOptional(),
    /** Why it was refused. */
    detail: z.string().exactOptional(),
    /** Absent if authentication failed, or there is nothing at the path. */
    actor: z
      .strictObject({ type: z.enum(actorTypes), id: z.string(), name: z.string().exactOptional() })
      .exactOptional(),
    /** Of the resources that it read by id, made or changed; at most 100. */
    ids: z.array(z.string()).readonly(),
    /** Number of requests before this one that were not recorded. */
    omitted: z.number().exactOptional(),
  }),
});

export type ScimRequestRecord = DocumentOf<typeof scimRequestRecords>;
