import { z } from 'zod';
import { approvalUrl, type TaskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry, TaskRecord } from '../../../directory/records/index.ts';
import { systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';

export const taskAnswerSchema = z.strictObject({
  task: z.strictObject({
    id: z.string(),
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled']),
    status_endpoint: z.string(),
    expires_at: z.string().optional().describe('Until when somebody can decide'),
    links: z.strictObject({
      review: z.string().describe('The page for whoever decides'),
      cancel: z.string().optional().describe('While it waits: where the agent gives it up'),
    }),
    display: z.strictObject({ title: z.string(), description: z.string() }),
  }),
  result: z
    .strictObject({
      mode: z.literal('reevaluate'),
      approval: z.strictObject({
        id: z.string(),
        approved_at: z.string(),
        approved_until: z.string(),
        state: z.string().optional().describe('Signed: comes back with the approval as it is'),
      }),
    })
    .optional(),
});

type ShownStatus = TaskStatus | 'cancelled';

const displays: Readonly<Record<ShownStatus, string>> = {
  pending: 'It waits for somebody to decide.',
  approved: 'It was approved. Evaluate again, with the approval.',
  denied: 'It was denied.',
  expired: 'Nobody has decided in time.',
  cancelled: 'It was given up before anybody decided.',
};

/** What ends without a decision by the clock has expired; whatever somebody has ended is cancelled. */
function shownStatus({ ended }: TaskRecord, status: TaskStatus): ShownStatus {
  return status === 'expired' && ended !== undefined && ended.by !== systemActor.id ? 'cancelled' : status;
}

interface TaskContext {
  readonly statusUrl: string;
  readonly baseUrl: string;
  readonly organization: Pick<Organization, 'slug'>;
  /** `approvalState` of what was approved. */
  readonly state: string | undefined;
}

/** A task as the profile shows it. The approval is not a grant: whoever has it evaluates again. */
export function taskAnswer(
  { id, document }: TaskEntry,
  current: TaskStatus,
  { statusUrl, baseUrl, organization, state }: TaskContext,
): z.output<typeof taskAnswerSchema> {
  const status = shownStatus(document, current);
  const { expiresAt, decided, grant, ended, description } = document;
  const approval =
    decided === undefined || grant === undefined
      ? undefined
      : {
          id,
          approved_at: isoTime(decided.at),
          approved_until: isoTime(Math.min(grant.until, ended?.at ?? grant.until)),
          ...(state === undefined ? {} : { state }),
        };
  return {
    task: {
      id,
      status,
      status_endpoint: statusUrl,
      ...(status === 'pending' ? { expires_at: isoTime(expiresAt) } : {}),
      links: {
        review: approvalUrl(baseUrl, organization, id),
        ...(status === 'pending' ? { cancel: `${statusUrl}/cancel` } : {}),
      },
      display: { title: description, description: displays[status] },
    },
    ...(approval === undefined ? {} : { result: { mode: 'reevaluate', approval } }),
  };
}
