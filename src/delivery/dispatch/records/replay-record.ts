import { z } from 'zod';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

/** Events that are sent to a subscription once more: a part of the feed, from one position to another. */
export const replayRecords = defineRecord({
  collection: 'replays',
  holds: 'events that are sent to a subscription once more, and how far that has come',
  schema: z.strictObject({
    subscription: z.string(),
    /** Numbers of events: the last before, the last to be sent, and the last that was begun. */
    from: z.int(),
    to: z.int(),
    position: z.int(),
    status: z.enum(['running', 'done', 'ended']),
    sent: z.int(),
    createdBy: z.string(),
    createdAt: z.number(),
    finishedAt: z.number().exactOptional(),
    keptUntil: z.number(),
  }),
  indexes: ({ subscription, status }) => ({
    subscription,
    status,
    ...(status === 'running' ? { running: subscription } : {}),
  }),
  expires: { index: 'until', at: ({ keptUntil }) => keptUntil },
});

export type ReplayRecord = DocumentOf<typeof replayRecords>;
