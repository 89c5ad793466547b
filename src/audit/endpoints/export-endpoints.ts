import { createReadStream, existsSync } from 'node:fs';
import { z } from 'zod';
import { type Endpoint, json, ProblemError, problem, queryBoolean, stream } from '../../http/index.ts';
import { type AuditEvent, factsOf, type RequestFacts } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, endpoint, type FamilyBase } from '../../kernel/organizations/index.ts';
import { problemOf, requestOf } from '../../kernel/queries/index.ts';
import { existing, transact } from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import {
  countExports,
  EXPORT_KEPT_MS,
  type ExportEntry,
  type ExportJob,
  exportFile,
  exportStates,
  fewerExports,
  findExport,
  putExport,
} from '../export/export-job.ts';
import { type ExportFormat, type ExportPage, exportFormats } from '../export/export-page.ts';
import type { AuditTask } from '../query/audit-queries.ts';
import type { AuditFilters } from '../query/filters.ts';
import { filterParameters, readFilters, searchParameters, withActorIds } from './entry-query.ts';
import { type AuditDependencies, entryView, reading } from './log-endpoints.ts';
import { putOnRecord } from './on-record.ts';

/** specification, Limits: records of one synchronous export. */
const DIRECT_MAX = 10_000;
/** Jobs and files of one organization. */
const JOBS_MAX = 10;

/** In the format that was asked for. */
const exported = {
  description: 'The entries',
  contentType: 'text/csv',
  others: { 'application/json': z.array(entryView) },
};

const jobView = z.strictObject({
  id: z.string(),
  state: z.enum(exportStates),
  format: z.enum(['csv', 'json']),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('When the job and its file are removed'),
  records: z.int().nullable(),
  downloadUrl: z.string().nullable().describe('Relative to the host; once the state is `done`'),
  attempts: z.int().describe('How many times it was started; after five attempts it has failed'),
  reason: z
    .string()
    .nullable()
    .describe('Why the export or its last attempt failed: a code such as `forbidden`, `storage_full` or `corrupt`'),
});

export function exportEndpoints(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint[] {
  return [
    exportEndpoint(dependencies, base, family),
    jobEndpoint(dependencies, base, family),
    fileEndpoint(dependencies, base),
  ];
}

function exportEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/export`,
    rate: 'expensive',
    summary: 'Export audit entries',
    description:
      `Up to ${DIRECT_MAX} entries are the answer itself, newest first. More are written to a file: the answer is 202, ` +
      'and `Location` names the job, which ends in a download link. In CSV, cells that a spreadsheet would take for a ' +
      'formula begin with an apostrophe.',
    query: z.strictObject({
      format: z.enum(['csv', 'json']).default('csv'),
      async: queryBoolean.describe('As a job, however few there are').optional(),
      ...filterParameters,
      ...searchParameters,
    }),
    responses: {
      200: exported,
      202: { description: 'A job', schema: singleSchema(jobView), headers: { Location: 'The job' } },
    },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, query } = call;
      const filters = readFilters(dependencies.engine.read(() => withActorIds(caller, query)));
      const facts = factsOf(call);
      const max = query.async ? -1 : DIRECT_MAX;
      const task: AuditTask = { kind: 'audit_exceeds', filters, max };
      const exceeds = await dependencies.queryPool.run(requestOf(caller, task));
      if (!exceeds.ok) return problemOf(exceeds);
      const { format } = query;
      if (exceeds.text === 'true') return queue(dependencies, caller, facts, { base, family, format, filters });
      await putOnRecord(dependencies, caller, facts, 'audit.read', exportEvent({ format }));
      return stream(exportFormats[format].contentType, () => exportText(dependencies, caller, filters, format), {
        'content-disposition': attachment(caller, format),
      });
    },
  });
}

/** Reading the whole log is on record itself. */
function exportEvent(metadata: { readonly format: ExportFormat; readonly exportId?: string }): AuditEvent {
  return { eventType: 'admin.action', action: 'audit_log.export', targetType: 'audit_log', metadata };
}

/**
 * Of a finished export: its file, or where another node of the cluster has that, the same entries once more. Those that
 * were erased meanwhile are not among them. Undefined where the file is not here, and its job, of an earlier version, does
 * not say which entries are in it.
 */
function fileText(
  dependencies: AuditDependencies,
  caller: Caller,
  entry: ExportEntry,
): (() => AsyncIterable<string | Buffer>) | undefined {
  const file = exportFile(dependencies.dataDir, entry);
  if (existsSync(file)) return () => createReadStream(file);
  const { filters, format, records, newest } = entry.document;
  if (newest === undefined && records !== 0) return undefined;
  // of no entries, none is before the first id
  return () => exportText(dependencies, caller, filters, format, newest === undefined ? '' : `${newest}!`);
}

/** @param until the entries' ids are before it; all where absent */
async function* exportText(
  dependencies: AuditDependencies,
  caller: Caller,
  filters: AuditFilters,
  format: ExportFormat,
  until?: string,
): AsyncIterable<string> {
  const { head, between, foot } = exportFormats[format];
  let lead = head;
  let before = until;
  do {
    const task: AuditTask = { kind: 'audit_export', filters, format, before };
    const answer = await dependencies.queryPool.run(requestOf(caller, task));
    // the right has ended meanwhile: the client sees a body that breaks off
    if (!answer.ok) throw new ProblemError(problemOf(answer));
    const page = JSON.parse(answer.text) as ExportPage; // `audit_export` made it
    if (page.rows.length > 0) {
      yield lead + page.rows.join(between);
      lead = between;
    }
    before = page.before;
  } while (before !== undefined);
  const end = (lead === head ? head : '') + foot;
  if (end !== '') yield end;
}

interface Queued {
  readonly base: FamilyBase;
  readonly family: Family;
  readonly format: ExportFormat;
  readonly filters: AuditFilters;
}

async function queue(
  dependencies: AuditDependencies,
  caller: Caller,
  facts: RequestFacts,
  { base, family, format, filters }: Queued,
) {
  const { engine } = dependencies;
  const { id: orgId, slug } = caller.organization;
  const id = await transact(dependencies, caller, facts, (transaction) => {
    transaction.require('audit.read');
    if (countExports(engine, caller.organization) >= JOBS_MAX) throw tooManyExports();
    transaction.expect([fewerExports(caller.organization, JOBS_MAX)]);
    const { now } = transaction;
    const job: ExportJob = {
      organization: { id: orgId, slug },
      ...(caller.subject === undefined ? {} : { subject: caller.subject }),
      ...(caller.actor === undefined ? {} : { actor: caller.actor }),
      format,
      filters,
      state: 'queued',
      createdAt: now,
      expiresAt: now + EXPORT_KEPT_MS,
    };
    const exportId = transaction.newId();
    transaction.change([putExport(exportId, job)]);
    transaction.audit(exportEvent({ format, exportId }));
    return exportId;
  });
  const shown = engine.read(() => jobOf(existing(findExport(engine, caller.organization, id)), base, caller));
  return json(202, singleAnswer(shown, family), { location: jobPath(base, caller, id) });
}

function tooManyExports(): ProblemError {
  const headers = { 'retry-after': '3600' };
  return new ProblemError(problem('rate_limited', `There are ${JOBS_MAX} exports already.`, { headers }));
}

function jobEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/exports/{exportId}`,
    summary: 'Get the state of an export',
    responses: { 200: singleSchema(jobView) },
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'audit.read', () => {
        const entry = existing(findExport(dependencies.engine, caller.organization, params.exportId));
        return json(200, singleAnswer(jobOf(entry, base, caller), family));
      });
    },
  });
}

function fileEndpoint(dependencies: AuditDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    ...reading,
    path: `${base}/admin/audit-logs/exports/{exportId}/file`,
    // without the file, the entries are read again
    rate: 'expensive',
    summary: 'Download an export',
    responses: { 200: exported },
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'audit.read', () => {
        const entry = findExport(dependencies.engine, caller.organization, params.exportId);
        if (entry?.document.state !== 'done') return problem('not_found');
        const text = fileText(dependencies, caller, entry);
        if (text === undefined) return problem('not_found');
        const { format } = entry.document;
        return stream(exportFormats[format].contentType, text, {
          'content-disposition': attachment(caller, format),
        });
      });
    },
  });
}

function jobOf({ id, document }: ExportEntry, base: FamilyBase, caller: Caller): z.output<typeof jobView> {
  const { state, format, createdAt, expiresAt, records, attempts, reason } = document;
  return {
    id,
    state,
    format,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    records: records ?? null,
    downloadUrl: state === 'done' ? `${jobPath(base, caller, id)}/file` : null,
    attempts: attempts ?? 0,
    reason: reason ?? null,
  };
}

function jobPath(base: FamilyBase, { organization }: Caller, id: string): string {
  return `${base.replace(/\{\w+\}/, encodeURIComponent(organization.slug))}/admin/audit-logs/exports/${id}`;
}

/** Slugs have no character that a header could misread. */
function attachment({ organization }: Caller, format: ExportFormat): string {
  return `attachment; filename="audit-${organization.slug.replace(/[^\w.-]/g, '-')}.${format}"`;
}
