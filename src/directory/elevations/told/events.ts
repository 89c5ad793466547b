import { z } from 'zod';
import { defineEvent, inEveryCatalog, resourceNames } from '../../../kernel/events/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { TaskEntry, TaskRecord } from '../../records/index.ts';

/** What every event of a task says of it, by the names of the endpoints of tasks. */
const about = {
  task_id: z.string(),
  agent_id: z.string(),
  description: z.string(),
  /** Slugs of permissions that were asked for. */
  scopes: z.array(z.string()),
  /** Objects (`type:id`) that they were asked for; null: all. */
  resources: z.array(z.string()).nullable(),
  seconds: z.int(),
};

const example = {
  task_id: '01920000-0000-7000-8000-000000000021',
  agent_id: '01920000-0000-7000-8000-000000000022',
  description: 'Correct the prices of the spring catalogue',
  scopes: ['prices:write'],
  resources: ['catalogue:spring'],
  seconds: 300,
};

const person = '01920000-0000-7000-8000-000000000001';

const decider = z.strictObject({ type: z.enum(['user', 'rule']), id: z.string() });

/** What was lent, and by whom. */
const lent = z.strictObject({
  lender_id: z.string(),
  scopes: z.array(z.string()),
  resources: z.array(z.string()).nullable(),
  until: z.iso.datetime(),
});

const exampleLent = { lender_id: person, scopes: ['prices:write'], resources: ['catalogue:spring'] };
const exampleUntil = '2026-01-01T00:05:00.000Z';

interface OfAgent {
  readonly agent_id: string;
}

const ofAgent = ({ agent_id }: OfAgent) => resourceNames({ agent: agent_id });

const ofLender = ({ agent_id, lent: { lender_id } }: OfAgent & { readonly lent: z.output<typeof lent> }) =>
  resourceNames({ user: lender_id, agent: agent_id });

const ofDecider = ({ agent_id, denied_by: { type, id } }: OfAgent & { readonly denied_by: z.output<typeof decider> }) =>
  resourceNames({ ...(type === 'user' ? { user: id } : {}), agent: agent_id });

/** An agent has asked for more than it has. */
export const jitRequested = defineEvent({
  type: 'jit.requested',
  data: z.strictObject({
    ...about,
    /** Who alone decides; null: whoever holds every scope, and `jit.approve`. */
    approver_id: z.string().nullable(),
    expires_at: z.iso.datetime(),
  }),
  example: { ...example, approver_id: null, expires_at: '2026-01-01T00:10:00.000Z' },
  about: ({ agent_id, approver_id }) => resourceNames({ user: approver_id, agent: agent_id }),
  becomes: inEveryCatalog('jit.requested'),
});

export const jitApproved = defineEvent({
  type: 'jit.approved',
  data: z.strictObject({ ...about, approved_by: decider, lent }),
  example: {
    ...example,
    approved_by: { type: 'user', id: person },
    lent: { ...exampleLent, until: exampleUntil },
  },
  about: ofLender,
  becomes: inEveryCatalog('jit.approved'),
});

export const jitDenied = defineEvent({
  type: 'jit.denied',
  data: z.strictObject({ ...about, denied_by: decider, reason: z.string().nullable() }),
  example: { ...example, denied_by: { type: 'user', id: person }, reason: 'The prices are right' },
  about: ofDecider,
  becomes: inEveryCatalog('jit.denied'),
});

/** Nobody has decided in time, or the agent has gone before. */
export const jitExpired = defineEvent({
  type: 'jit.expired',
  data: z.strictObject(about),
  example,
  about: ofAgent,
  becomes: inEveryCatalog('jit.expired'),
});

/** What was lent was taken back before its time. */
export const jitRevoked = defineEvent({
  type: 'jit.revoked',
  data: z.strictObject({ ...about, lent, revoked_by: z.string(), reason: z.string().nullable() }),
  example: {
    ...example,
    lent: { ...exampleLent, until: exampleUntil },
    revoked_by: `user:${person}`,
    reason: null,
  },
  about: ofLender,
  becomes: inEveryCatalog('jit.revoked'),
});

export const jitEvents = [jitRequested, jitApproved, jitDenied, jitExpired, jitRevoked];

type Told = Pick<TaskEntry, 'id' | 'document'>;

export function aboutTask({ id, document }: Told) {
  const { agentId, description, scopes, resources, seconds } = document;
  const objects = resources === undefined ? null : [...resources];
  return { task_id: id, agent_id: agentId, description, scopes: [...scopes], resources: objects, seconds };
}

export function toldGrant({ lenderId, scopes, resources, until }: NonNullable<TaskRecord['grant']>) {
  const objects = resources === undefined ? null : [...resources];
  return { lender_id: lenderId, scopes: [...scopes], resources: objects, until: isoTime(until) };
}
