import { z } from 'zod';
import { approvalUrl, type TaskStatus } from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';

export const taskAnswerSchema = z.strictObject({
  task: z.strictObject({
    id: z.string(),
    status: z.enum(['pending', 'approved', 'denied', 'expired']),
    status_endpoint: z.string(),
    expires_at: z.string().optional().describe('Until when somebody can decide'),
    links: z.strictObject({ review: z.string().describe('The page for whoever decides') }),
    display: z.strictObject({ title: z.string(), description: z.string() }),
  }),
  result: z
    .strictObject({
      mode: z.literal('reevaluate'),
      approval: z.strictObject({ id: z.string(), approved_at: z.string(), approved_until: z.string() }),
    })
    .optional(),
});

const displays: Readonly<Record<TaskStatus, string>> = {
  pending: 'It waits for somebody to decide.',
  approved: 'It was approved. Evaluate again, with the approval.',
  denied: 'It was denied.',
  expired: 'Nobody has decided in time.',
};

interface TaskPlace {
  readonly statusUrl: string;
  readonly baseUrl: string;
  readonly organization: Pick<Organization, 'slug'>;
}

/** A task as the profile shows it. The approval is not a grant: whoever has it evaluates again. */
export function taskAnswer(
  { id, document }: TaskEntry,
  status: TaskStatus,
  { statusUrl, baseUrl, organization }: TaskPlace,
): z.output<typeof taskAnswerSchema> {
  const { expiresAt, decided, grant, ended, description } = document;
  const approval =
    decided === undefined || grant === undefined
      ? undefined
      : {
          id,
          approved_at: isoTime(decided.at),
          approved_until: isoTime(Math.min(grant.until, ended?.at ?? grant.until)),
        };
  return {
    task: {
      id,
      status,
      status_endpoint: statusUrl,
      ...(status === 'pending' ? { expires_at: isoTime(expiresAt) } : {}),
      links: { review: approvalUrl(baseUrl, organization, id) },
      display: { title: description, description: displays[status] },
    },
    ...(approval === undefined ? {} : { result: { mode: 'reevaluate', approval } }),
  };
}
