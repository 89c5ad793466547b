import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime } from '../../../platform/index.ts';
import { type TaskEntry, taskStatuses } from '../../records/index.ts';
import { taskView } from '../tasks/task-view.ts';

const time = z.string();
const text = z.string().nullable();
const objects = z.array(z.string()).nullable().describe('As `type:id`; null: all');

/** A task as administrators see it, with what was lent for it. */
export const elevationSchema = z.strictObject({
  id: z.string(),
  agent: z.strictObject({ id: z.string(), name: z.string(), type: text, ownerName: text }),
  description: z.string().describe('In the words of the agent'),
  scopes: z.array(z.strictObject({ slug: z.string(), name: text, description: text, justification: text })),
  resources: objects,
  seconds: z.int(),
  status: z.enum(taskStatuses),
  isActive: z.boolean().describe('Whether something is lent now'),
  createdAt: time,
  expiresAt: time.describe('Until when it can be decided'),
  approverId: text.describe('Who alone decides'),
  decided: z.strictObject({ at: time, by: z.string(), byType: z.enum(['user', 'rule']), reason: text }).nullable(),
  grant: z
    .strictObject({ lenderId: z.string(), scopes: z.array(z.string()), resources: objects, until: time })
    .nullable(),
  ended: z.strictObject({ at: time, by: z.string(), reason: text }).nullable(),
});

/** To be called inside `Engine.read`. */
export function elevationView(store: Store, entry: TaskEntry, now: number): z.output<typeof elevationSchema> {
  const { id, agent, description, scopes, resources, seconds, status, isActive, ...rest } = taskView(store, entry, now);
  const { createdAt, expiresAt, approverId = null, decided, grant, ended } = rest;
  return {
    id,
    agent: { id: agent.id, name: agent.name, type: agent.type ?? null, ownerName: agent.ownerName ?? null },
    description,
    scopes: scopes.map(({ slug, name = null, description: what = null, justification = null }) => {
      return { slug, name, description: what, justification };
    }),
    resources: listOf(resources),
    seconds,
    status,
    isActive,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    approverId,
    decided: decided ? { ...decided, at: isoTime(decided.at), reason: decided.reason ?? null } : null,
    grant: grant
      ? { ...grant, scopes: [...grant.scopes], resources: listOf(grant.resources), until: isoTime(grant.until) }
      : null,
    ended: ended ? { ...ended, at: isoTime(ended.at), reason: ended.reason ?? null } : null,
  };
}

function listOf(resources: readonly string[] | undefined): string[] | null {
  return resources === undefined ? null : [...resources];
}
