import { z } from 'zod';
import type { Engine } from '#engine';
import { taskRecords } from '../../directory/records/index.ts';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import {
  boundsOf,
  type Family,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
} from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import { existing } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { USES_MAX, type Use, usesOf } from './use-record.ts';

const endpoint = endpointFor<Caller>();

const useSchema = z.strictObject({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string().describe('As the reference has it'),
  status: z.int(),
  permission: z.string().nullable().describe('Or the relation that was asked about'),
  object: z.string().nullable(),
  allowed: z.boolean().nullable().describe('What was answered to one question'),
  questions: z.int().nullable().describe('Of a request with several questions'),
  omitted: z.int().nullable().describe('Uses before this one that were not written down: too many came at once'),
});

function useView({ id, use }: { readonly id: string; readonly use: Use }): z.output<typeof useSchema> {
  const { at, method, path, status, permission, object, allowed, questions, omitted } = use;
  return {
    id,
    at: isoTime(at),
    method,
    path,
    status,
    permission: permission ?? null,
    object: object ?? null,
    allowed: allowed ?? null,
    questions: questions ?? null,
    omitted: omitted ?? null,
  };
}

/** `/admin/elevations/{taskId}/uses`, in both families. */
export function useEndpoints(services: { readonly engine: Engine }): Endpoint[] {
  return inBothFamilies((base, family) => [usesEndpoint(services, base, family)]);
}

function usesEndpoint({ engine }: { readonly engine: Engine }, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/elevations/{taskId}/uses`,
    summary: 'List what an elevated token was used for',
    description:
      `The last ${USES_MAX} requests with what was lent for a task, the latest first, with those that were refused ` +
      'because it had ended. Those of the last seconds may be missing. They are kept for 30 days.',
    tags: ['Elevations'],
    access: { permission: 'agents.manage' },
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(useSchema) },
    errors: ['not_found'],
    handler({ caller, params, query }) {
      const page = readPage(query, bounds);
      return answerIfMay(engine, caller, 'agents.manage', () => {
        const { store } = caller.organization;
        const { id } = existing(taskRecords.get(store, params.taskId));
        const found = mapListed(listAnswer(usesOf(store, id), page, family), useView);
        return json(200, found);
      });
    },
  });
}
