import { z } from 'zod';
import { type Endpoint, json } from '../../http/index.ts';
import { actorTypes } from '../../kernel/actors/index.ts';
import { entryRecords, shownEntry } from '../../kernel/audit/index.ts';
import { boundsOf, type Family, listSchema, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, endpoint, type FamilyBase } from '../../kernel/organizations/index.ts';
import { problemOf, type QueryPool, queryReply, requestOf } from '../../kernel/queries/index.ts';
import { type AdminDependencies, existing } from '../../kernel/transactions/index.ts';
import type { AuditTask } from '../query/audit-queries.ts';
import { entryAs } from '../query/entry-view.ts';
import { type AuditStats, statGroups } from '../query/stats.ts';
import { entryParameters, readEntryQuery, readTimes, timeParameters, withActorIds } from './entry-query.ts';

/** What the endpoints of the audit log work with. */
export interface AuditDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
  /** The data folder: finished exports lie in it. */
  readonly dataDir: string;
}

const tags = ['Audit log'];
export const reading = { method: 'GET', tags, access: { permission: 'audit.read' } } as const;
export const managing = { tags, access: { permission: 'audit.manage' }, errors: ['unavailable'] } as const;

export const entryView = z.strictObject({
  id: z.string(),
  orgId: z.string(),
  eventType: z.string(),
  action: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  actorId: z.string().describe('Of a user, agent or SCIM token its id; otherwise the subject, such as `api_key:{id}`'),
  actorType: z.enum(actorTypes),
  actorEmail: z.string().nullable(),
  targetId: z.string().nullable(),
  targetType: z.string().nullable(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  result: z.enum(['success', 'failure']),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
});

const statsView = z.strictObject({
  groupBy: z.enum(['action', 'user']),
  total: z.int().describe('Entries in the time that was asked for'),
  groups: z.array(z.strictObject({ key: z.string(), count: z.int() })).describe('The most frequent first'),
});

/** Reading the log. */
export function logEndpoints(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint[] {
  return [
    listEndpoint(dependencies, base, family),
    statsEndpoint(dependencies, base, family),
    actionsEndpoint(dependencies, base, family),
    entryEndpoint(dependencies, base, family),
  ];
}

/** Asks the pool, and makes an answer of what comes back. */
async function ask<T>(
  { queryPool }: AuditDependencies,
  caller: Caller,
  task: AuditTask,
  answer: (value: T) => unknown,
) {
  const found = await queryPool.run(requestOf(caller, task));
  // the work of this task made it
  return found.ok ? json(200, answer(JSON.parse(found.text) as T)) : problemOf(found);
}

function listEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs`,
    summary: 'List audit entries',
    description:
      'Newest first, where `sortBy` is not given. ' +
      '`search` looks into all texts of an entry. Where a search or a combination of frequent filters ' +
      'would look at too much, it ends early: the header `Searched-To` then says to which time it came, `total` counts ' +
      'what was found up to there, and `endDate` set to that time goes on.',
    query: z.strictObject(entryParameters(bounds)),
    responses: { 200: { description: 'A page', schema: listSchema(entryView), headers: searchedTo } },
    handler({ caller, query }) {
      const named = dependencies.engine.read(() => withActorIds(caller, query));
      const task: AuditTask = { kind: 'audit_list', ...readEntryQuery(named, bounds), family };
      return queryReply(dependencies.queryPool, caller, task);
    },
  });
}

const searchedTo = { 'Searched-To': 'The time to which a search came that ended early' };

function statsEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/stats`,
    summary: 'Count audit entries by action or by user',
    query: z.strictObject({
      groupBy: z.enum(Object.keys(statGroups) as (keyof typeof statGroups)[]).default('action'),
      ...timeParameters,
    }),
    responses: { 200: singleSchema(statsView) },
    handler({ caller, query }) {
      const task: AuditTask = { kind: 'audit_stats', groupBy: query.groupBy, times: readTimes(query) };
      return ask<AuditStats>(dependencies, caller, task, (stats) => singleAnswer(stats, family));
    },
  });
}

function actionsEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/actions`,
    summary: 'List the actions in the audit log',
    responses: { 200: singleSchema(z.array(z.string())) },
    handler: ({ caller }) =>
      ask<string[]>(dependencies, caller, { kind: 'audit_actions' }, (actions) => singleAnswer(actions, family)),
  });
}

function entryEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/{logId}`,
    summary: 'Get an audit entry',
    responses: { 200: singleSchema(entryView) },
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'audit.read', () => {
        const { document } = existing(entryRecords.get(caller.organization.store, params.logId));
        return json(200, singleAnswer(entryAs(family, shownEntry(document)), family));
      });
    },
  });
}
