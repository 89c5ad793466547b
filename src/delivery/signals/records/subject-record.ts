import { z } from 'zod';
import type { Store } from '#engine';
import { defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';

/**
 * What the receiver of a stream has said of a user. A stream is about all users (`default_subjects` is `ALL`) but those
 * that it has removed. A user who was added by email is named by email.
 */
export const subjectRecords = defineRecord({
  collection: 'signal_subjects',
  holds: 'a user that the receiver of a stream has added or removed',
  schema: z.strictObject({
    streamId: z.string(),
    userId: z.string(),
    isRemoved: z.boolean(),
    format: z.enum(['email', 'iss_sub']),
  }),
  indexes: ({ streamId, userId }) => ({ '#stream': streamId, user: userId }),
  userKey: { index: 'user' },
});

/** Of one stream. */
export const SUBJECTS_MAX = 10_000;

export function subjectId(streamId: string, userId: string): string {
  return digestOf(JSON.stringify([streamId, userId]));
}

/** To be called inside `Engine.read`. */
export function subjectOf(store: Store, streamId: string, userId: string) {
  return subjectRecords.get(store, subjectId(streamId, userId))?.document;
}
