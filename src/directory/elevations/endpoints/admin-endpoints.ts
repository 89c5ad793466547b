import { z } from 'zod';
import { type Endpoint, endpointFor, json, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  type ListDefinition,
  listParameters,
  listSchema,
  type RecordLists,
  readList,
  singleAnswer,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { type QueryHandler, type QueryPool, queryReply, recordListQuery } from '../../../kernel/queries/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { type TaskRecord, taskRecords, taskStatuses, userIdNamed } from '../../records/index.ts';
import { taskProblems } from '../decide/problems.ts';
import type { ElevationDependencies } from '../dependencies.ts';
import { endElevation } from '../end/end-elevation.ts';
import { reasonSchema } from '../tasks/task-input.ts';
import { elevationSchema, elevationView } from './elevation-view.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Elevations'];
const right = 'agents.manage';
const access = { permission: right } as const;
const kind = 'list elevations';

const definition: ListDefinition<TaskRecord> = {
  records: taskRecords,
  text: ({ description, agentId, scopes }) => [description, agentId, ...scopes],
  sorts: {
    createdAt: ({ createdAt }) => createdAt,
    expiresAt: ({ expiresAt }) => expiresAt,
    until: ({ grant }) => grant?.until,
  },
  filters: {
    status: ({ status }) => status,
    agentId: ({ agentId }) => agentId,
    userId: userOf,
    isLent: ({ grant, ended }) => grant !== undefined && ended === undefined,
  },
};

/** The user whom a task is about: who lends, else who has decided, else who decides. */
function userOf({ grant, decided, approverId }: TaskRecord): string | undefined {
  return grant?.lenderId ?? (decided?.byType === 'user' ? decided.by : approverId);
}

/** The pages of the list, in the query pool. */
export function elevationQuery(lists: RecordLists, clock: Clock): QueryHandler {
  const view: Parameters<typeof recordListQuery<TaskRecord>>[1]['view'] = (store, entry) =>
    elevationView(store, entry, clock.now());
  return recordListQuery(lists, { kind, permission: right, definition, view });
}

export interface ElevationServices extends ElevationDependencies {
  readonly queryPool: QueryPool;
}

/** `/admin/elevations`, in both families: what agents have asked for, and what they are lent. */
export function elevationEndpoints(services: ElevationServices): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(services, base, family),
    readEndpoint(services, base, family),
    revokeEndpoint(services, base, family),
  ]);
}

function listEndpoint({ engine, queryPool }: ElevationServices, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  const id = z.string().max(256).optional();
  return endpoint({
    method: 'GET',
    path: `${base}/admin/elevations`,
    summary: 'List tasks of agents, and what was lent for them',
    description:
      'Searched by description, agent and scopes. What the clock has ended is told so at once, and found by the filters ' +
      'a few seconds later.',
    tags,
    access,
    query: z.strictObject({
      ...listParameters(bounds, ['createdAt', 'expiresAt', 'until']),
      status: z.enum(taskStatuses).optional(),
      agentId: id,
      userId: id.describe('Who lends, has decided, or alone decides: id, number or e-mail address'),
      isLent: queryBoolean.describe('Whether something is lent that has not been taken back').optional(),
    }),
    responses: { 200: listSchema(elevationSchema) },
    handler({ caller, query }) {
      const { status, agentId, userId: named, isLent } = query;
      const userId = named === undefined ? undefined : engine.read(() => userIdNamed(caller, named));
      const where = { status, agentId, userId, isLent };
      return queryReply(queryPool, caller, { kind, query: readList(query, bounds), family, where });
    },
  });
}

function readEndpoint({ engine, clock }: ElevationServices, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/elevations/{taskId}`,
    summary: 'One task, and what was lent for it',
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
    summary: 'Take back what was lent',
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
