import { z } from 'zod';
import type { RecordEntry } from '#engine';
import type { Endpoint } from '../../../http/index.ts';
import { actorTypes } from '../../../kernel/actors/index.ts';
import {
  boundsOf,
  type Family,
  listSchema,
  offsetOf,
  type PageQuery,
  pagedAnswer,
  pageParameters,
  readPage,
} from '../../../kernel/lists/index.ts';
import { endpoint, type FamilyBase } from '../../../kernel/organizations/index.ts';
import { type QueryHandler, type QueryPool, type QueryTask, queryReply } from '../../../kernel/queries/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { type ScimRequestRecord, scimRequestRecords } from './request-record.ts';

const statusClass = z.enum(['2xx', '3xx', '4xx', '5xx']);
const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const ACTOR_MAX = 256;

const view = z.strictObject({
  id: z.string(),
  requestId: z.string().describe('The `x-request-id` of the answer'),
  at: z.string(),
  durationMs: z.int(),
  method: z.string(),
  path: z.string(),
  filter: z.string().nullable(),
  status: z.int(),
  scimType: z.string().nullable(),
  detail: z.string().nullable().describe('Why it was refused'),
  actor: z
    .strictObject({ type: z.enum(actorTypes), id: z.string(), name: z.string().nullable() })
    .nullable()
    .describe('Null where no credential was accepted'),
  ids: z.array(z.string()).describe('Ids of the resources concerned; at most 100'),
  omitted: z.int().describe('Number of requests at about the same time that were not recorded'),
});

/** The filters of a list. */
interface Wanted {
  readonly status?: z.output<typeof statusClass> | undefined;
  readonly method?: z.output<typeof method> | undefined;
  readonly actor?: string | undefined;
}

interface RequestListTask extends QueryTask {
  readonly kind: 'scim_requests';
  readonly page: PageQuery;
  readonly family: Family;
  readonly wanted: Wanted;
}

/** `/admin/scim/requests`. It needs the permission of the audit log, as it shows who did what. */
export function requestListEndpoint(queryPool: QueryPool, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/scim/requests`,
    summary: 'List SCIM requests',
    description:
      'Newest first. A request appears a few seconds after its answer. The last 5,000 requests are kept for 30 days, ' +
      'without their bodies.',
    tags: ['SCIM administration'],
    access: { permission: 'audit.read' },
    query: z.strictObject({
      ...pageParameters(bounds),
      status: statusClass.optional(),
      method: method.optional(),
      actor: z.string().min(1).max(ACTOR_MAX).describe('The `id` of an actor').optional(),
    }),
    responses: { 200: listSchema(view) },
    handler({ caller, query }) {
      const { status, method: asked, actor } = query;
      const wanted = { status, method: asked, actor };
      const task: RequestListTask = { kind: 'scim_requests', page: readPage(query, bounds), family, wanted };
      return queryReply(queryPool, caller, task);
    },
  });
}

/** There are some thousands at most, so that each page goes through all of them. */
export const requestListQuery: QueryHandler<RequestListTask> = {
  kind: 'scim_requests',
  permission: 'audit.read',
  answer({ organization: { store } }, { page, family, wanted }) {
    const found: RecordEntry<ScimRequestRecord>[] = [];
    for (const entry of scimRequestRecords.all(store)) if (isWanted(entry.document, wanted)) found.push(entry);
    const begin = offsetOf(page);
    const shown = found.toSorted(lastFirst).slice(begin, begin + page.limit);
    return pagedAnswer(shown.map(viewOf), { total: found.length }, page, family);
  },
};

/** Newest first. Each thread writes its own batches, so that the order of ids is not the order of times. */
function lastFirst(left: RecordEntry<ScimRequestRecord>, right: RecordEntry<ScimRequestRecord>): number {
  return right.document.at - left.document.at || (left.id < right.id ? 1 : -1);
}

function isWanted({ status, method: asked, actor }: ScimRequestRecord, wanted: Wanted): boolean {
  if (wanted.status !== undefined && String(status)[0] !== wanted.status[0]) return false;
  if (wanted.method !== undefined && asked !== wanted.method) return false;
  return wanted.actor === undefined || actor?.id === wanted.actor;
}

function viewOf({ id, document }: RecordEntry<ScimRequestRecord>): z.output<typeof view> {
  const { at, filter, scimType, detail, actor, ids, omitted, ...rest } = document;
  return {
    ...rest,
    id,
    at: isoTime(at),
    filter: filter ?? null,
    scimType: scimType ?? null,
    detail: detail ?? null,
    actor: actor === undefined ? null : { ...actor, name: actor.name ?? null },
    ids: [...ids],
    omitted: omitted ?? 0,
  };
}
