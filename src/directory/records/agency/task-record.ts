import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { timeKey } from '../../../platform/index.ts';

export const taskStatuses = ['pending', 'approved', 'denied', 'expired'] as const;

/**
 * Tasks for which agents ask for more than they have, and what was decided of them. A record's id is the T of the engine
 * subject `elevation:T`. `approved`, `denied` and `expired` are final. Times are in milliseconds.
 */
export const taskRecords = defineRecord({
  collection: 'jit_tasks',
  holds: 'what an agent has asked for, and what was decided of it',
  schema: z.strictObject({
    agentId: z.string(),
    /** With which the agent asked, where somebody had delegated to it. */
    delegationId: z.string().exactOptional(),
    /** The user who delegated to the agent, and who alone decides. Absent: whoever holds every scope, and `jit.approve`. */
    approverId: z.string().exactOptional(),
    description: z.string(),
    /** Slugs of permissions. */
    scopes: z.array(z.string()).readonly(),
    /** Why the agent needs a scope, in its own words. */
    justifications: z.array(z.strictObject({ scope: z.string(), text: z.string(), at: z.number() })).readonly(),
    /** Objects (`type:id`) for which the scopes are asked for; absent: for all. */
    resources: z.array(z.string()).readonly().exactOptional(),
    /** How long the scopes are asked for, from the approval on. */
    seconds: z.int(),
    status: z.enum(taskStatuses),
    createdAt: z.number(),
    /** Until when somebody can decide. */
    expiresAt: z.number(),
    decided: z
      .strictObject({
        at: z.number(),
        /** Id of the user, or of the rule of the organization that decided by itself. */
        by: z.string(),
        byType: z.enum(['user', 'rule']),
        reason: z.string().exactOptional(),
      })
      .exactOptional(),
    /** Of an approved one: what was lent. The tuples `permission:P#granted@elevation:T` are what counts. */
    grant: z
      .strictObject({
        /** The user whose rights are lent: they count only while that user holds them. */
        lenderId: z.string(),
        scopes: z.array(z.string()).readonly(),
        resources: z.array(z.string()).readonly().exactOptional(),
        until: z.number(),
      })
      .exactOptional(),
    /** Of an approved one that was ended before its time. */
    ended: z.strictObject({ at: z.number(), by: z.string(), reason: z.string().exactOptional() }).exactOptional(),
  }),
  indexes({ agentId, approverId, status, expiresAt, grant, ended }): Keys {
    const isOpen = status === 'pending' || (grant !== undefined && ended === undefined);
    return {
      agent: agentId,
      ...(approverId === undefined ? {} : { approver: approverId }),
      ...(grant === undefined ? {} : { lender: grant.lenderId }),
      '#status': status,
      // when the next thing happens to it without anybody's doing
      ...(isOpen ? { due: timeKey(grant?.until ?? expiresAt) } : {}),
    };
  },
  exported: (document) => document,
});

export type TaskRecord = DocumentOf<typeof taskRecords>;
export type TaskEntry = RecordEntry<TaskRecord>;

/** What was lent for a task, as the engine knows it. */
export function elevationSubject(taskId: string): string {
  return `elevation:${taskId}`;
}
