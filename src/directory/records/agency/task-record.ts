import { z } from 'zod';
import type { RecordEntry } from '#engine';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import { timeKey } from '../../../platform/index.ts';

export const taskStatuses = ['pending', 'approved', 'denied', 'expired'] as const;

/** How long a task stays on record once nothing can happen to it any more. */
const KEPT_MS = 30 * 24 * 3_600_000;

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
    /** Why the agent needs a scope, in its own words: at most one of each. */
    justifications: z
      .array(z.strictObject({ id: z.string(), scope: z.string(), text: z.string(), at: z.number() }))
      .readonly(),
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
    /** Of one that was pending or lent and is so no more: at its time, or before. */
    ended: z
      .strictObject({
        at: z.number(),
        /** Engine subject of who ended it; `platform` is the super administrator, `system` the service itself. */
        by: z.string(),
        reason: z.string().exactOptional(),
      })
      .exactOptional(),
  }),
  indexes({ agentId, approverId, status, expiresAt, grant, ended }): Keys {
    const isPending = status === 'pending';
    // how fast an agent asks is told by all of its tasks
    const made = { agent: agentId };
    if (!isPending && (grant === undefined || ended !== undefined)) return made;
    return {
      ...made,
      '#open': 'open',
      '#openOf': agentId,
      // when the next thing happens to it without anybody's doing
      due: timeKey(grant?.until ?? expiresAt),
      ...(grant === undefined ? {} : { lender: grant.lenderId }),
      ...(isPending ? { '#pending': approverId ?? anyApprover, '#pendingOf': agentId } : {}),
    };
  },
  expires: { index: 'until', at: (task) => overAt(task) + KEPT_MS },
  exported: (document) => document,
});

export type TaskRecord = DocumentOf<typeof taskRecords>;
export type TaskEntry = RecordEntry<TaskRecord>;

/** In the index of pending tasks, where nobody in particular decides. */
export const anyApprover = 'anyone';

interface Times {
  readonly expiresAt: number;
  readonly decided?: { readonly at: number };
  readonly grant?: { readonly until: number };
  readonly ended?: { readonly at: number };
}

function overAt({ ended, grant, decided, expiresAt }: Times): number {
  return ended?.at ?? grant?.until ?? decided?.at ?? expiresAt;
}

/** What was lent for a task, as the engine knows it. */
export function elevationSubject(taskId: string): string {
  return `elevation:${taskId}`;
}
