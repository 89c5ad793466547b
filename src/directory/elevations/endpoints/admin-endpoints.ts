import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Family, type RecordLists, singleAnswer, singleSchema, sortFields } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import type { QueryHandler, QueryPool } from '../../../kernel/queries/index.ts';
import { type RecordList, recordListEndpoint, recordListPages } from '../../../kernel/resources/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import { type Clock, isoTime } from '../../../platform/index.ts';
import { type TaskEntry, type TaskRecord, taskRecords, taskStatuses, userIdNamed } from '../../records/index.ts';
import { taskProblems } from '../decide/problems.ts';
import type { ElevationDependencies } from '../dependencies.ts';
import { endElevation } from '../end/end-tasks.ts';
import { reasonSchema } from '../tasks/task-input.ts';
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

const tags = ['Elevations'];
const right = 'agents.manage';
const access = { permission: right } as const;

const id = z.string().max(256).optional();

const list: RecordList<TaskRecord> = {
  path: 'elevations',
  summary: 'List tasks of agents and their elevations',
  description:
    'Searched by description, agent and scopes. What the clock has ended is told so at once, and found by the filters ' +
    'a few seconds later.',
  tags,
  right,
  definition: {
    records: taskRecords,
    text: ({ description, agentId, scopes }) => [description, agentId, ...scopes],
    sorts: {
      ...sortFields('createdAt', 'expiresAt'),
      until: ({ grant }) => grant?.until,
    },
    filters: {
      status: ({ status }) => status,
      agentId: ({ agentId }) => agentId,
      userId: userOf,
      isLent: ({ grant, ended }) => grant !== undefined && ended === undefined,
    },
  },
  filters: {
    status: z.enum(taskStatuses).optional(),
    agentId: id,
    userId: id.describe('Who lends, has decided, or alone decides: id, number or email address'),
    isLent: queryBoolean.describe('Whether something is lent that has not been taken back').optional(),
  },
  named: { userId: userIdNamed },
};

/** The user whom a task is about: who lends, else who has decided, else who decides. */
function userOf({ grant, decided, approverId }: TaskRecord): string | undefined {
  return grant?.lenderId ?? (decided?.byType === 'user' ? decided.by : approverId);
}

/** The pages of the list, in the query pool. */
export function elevationQuery(lists: RecordLists, clock: Clock): QueryHandler {
  return recordListPages(lists, list, (store, entry) => elevationView(store, entry, clock.now()));
}

export interface ElevationServices extends ElevationDependencies {
  readonly queryPool: QueryPool;
}

/** `/admin/elevations`, in both families: what agents have asked for, and what they are lent. */
export function elevationEndpoints(services: ElevationServices): Endpoint[] {
  return inBothFamilies((base, family) => [
    recordListEndpoint(list, services, base, family, elevationSchema),
    readEndpoint(services, base, family),
    revokeEndpoint(services, base, family),
  ]);
}

function readEndpoint({ engine, clock }: ElevationServices, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/elevations/{taskId}`,
    summary: 'Get a task and its elevation',
    tags,
    access,
    responses: { 200: singleSchema(elevationSchema) },
    handler({ caller, params }) {
      return answerIfMay(engine, caller, right, () => {
        const { store } = caller.organization;
        const entry = existing(taskRecords.get(store, params.taskId));
        return json(200, singleAnswer(elevationView(store, entry, clock.now()), family));
      });
    },
  });
}

function revokeEndpoint(services: ElevationServices, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/elevations/{taskId}/revoke`,
    summary: 'End an elevation',
    description: 'It counts no more with the next request, and tokens by it fail.',
    tags,
    access,
    body: z.strictObject({ reason: reasonSchema.optional() }).default({}),
    bodyOptional: true,
    responses: { 200: singleSchema(elevationSchema) },
    errors: [taskProblems.task_settled, 'unavailable'],
    async handler(call) {
      const { caller, params, body } = call;
      const { engine, clock } = services;
      const entry = await endElevation(services, caller, factsOf(call), params.taskId, body.reason);
      const view = engine.read(() => elevationView(caller.organization.store, entry, clock.now()));
      return json(200, singleAnswer(view, family));
    },
  });
}
