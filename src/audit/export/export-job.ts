import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Change, Engine, Precondition, RecordEntry } from '#engine';
import { type Organization, platformStore } from '../../kernel/organizations/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import type { SetAside } from '../../platform/index.ts';
import { filtersSchema } from '../query/filters.ts';
import { exportFormatNames } from './export-page.ts';

export const exportStates = ['queued', 'running', 'done', 'failed'] as const;

type ExportState = (typeof exportStates)[number];

/**
 * Exports that are too long for one answer, in the platform's store, so that the jobs of all organizations are found at
 * once. Times are in milliseconds.
 */
export const exportRecords = defineRecord({
  collection: 'audit_exports',
  holds: 'an export of the audit log that is made in the background; until its file is removed',
  schema: z.strictObject({
    organization: z.strictObject({ id: z.string(), slug: z.string() }).readonly(),
    /** Who asked, as the engine knows it; absent for the super administrator. Judged anew for every page. */
    subject: z.string().exactOptional(),
    /** Who acted for it, where somebody did. */
    actor: z.string().exactOptional(),
    format: z.enum(exportFormatNames),
    filters: filtersSchema,
    state: z.enum(exportStates),
    createdAt: z.number(),
    /** When the job and its file are removed. */
    expiresAt: z.number(),
    /** Entries in the file, once it is done. */
    records: z.int().exactOptional(),
    /** The id of the first entry in the file, which is the newest: where it is written again, nothing later is in it. */
    newest: z.string().exactOptional(),
    /**
     * How many times it was started, so that a job that ends the process is not started for ever. Absent before the
     * first start.
     */
    attempts: z.int().exactOptional(),
    /** The time of the next attempt; absent if it has not failed. */
    notBefore: z.number().exactOptional(),
    /** Why the job or its last attempt failed. */
    reason: z.string().exactOptional(),
  }),
  indexes: ({ state, organization }) => ({ state, organization: organization.id }),
});

export type ExportJob = DocumentOf<typeof exportRecords>;
export type ExportEntry = RecordEntry<ExportJob>;

export const EXPORT_KEPT_MS = 24 * 3_600_000;

const platform = { name: platformStore };

export function putExport(id: string, document: ExportJob): Change {
  return exportRecords.put(platform, id, document);
}

/** An organization's own job. */
export function findExport(engine: Engine, { id: orgId }: Organization, id: string): ExportEntry | undefined {
  const entry = exportRecords.get(engine.store(platformStore), id);
  return entry?.document.organization.id === orgId ? entry : undefined;
}

/** That an organization has fewer jobs than this many: also where several are asked for at once. */
export function fewerExports({ id }: Organization, count: number): Precondition {
  return exportRecords.fewerWith(platform, ['organization', id], count);
}

export function countExports(engine: Engine, { id }: Organization): number {
  return exportRecords.index(engine.store(platformStore)).count('organization', id);
}

/** The jobs in a state that can be read, oldest first. */
export function exportsIn(engine: Engine, state: ExportState, aside: SetAside): ExportEntry[] {
  const store = engine.store(platformStore);
  const ids = exportRecords.index(store).ids('state', state, { limit: JOBS_MAX });
  return ids.flatMap(
    (id) => aside.attempt(exportRecords.collection, id, () => readable(exportRecords.get(store, id))) ?? [],
  );
}

/** The longest that a job waits before it is tried again. */
const GAP_MAX_MS = 3_600_000;
/** More than all organizations ever have. */
const JOBS_MAX = 10_000;

/** @throws TypeError if the document is not a job */
function readable(entry: ExportEntry | undefined): ExportEntry | undefined {
  if (entry !== undefined && typeof entry.document?.organization?.slug !== 'string') throw new TypeError('no job');
  return entry;
}

/** Those that run come first: another process has left them behind. */
export function nextExport(engine: Engine, now: number, aside: SetAside): ExportEntry | undefined {
  const waiting = [...exportsIn(engine, 'running', aside), ...exportsIn(engine, 'queued', aside)];
  return waiting.find(({ document: { notBefore = now } }) => {
    // no job waits that long: the clock was set back
    return now >= notBefore || notBefore - now > GAP_MAX_MS;
  });
}

export function exportFolder(dataDir: string): string {
  return join(dataDir, 'audit-exports');
}

/** Ids are made by the service: nothing of a request stands in the path. Of a cluster, one node has the file. */
export function exportFile(dataDir: string, { id, document }: ExportEntry): string {
  return join(exportFolder(dataDir), `${id}.${document.format}`);
}

export interface ExportFilesDependencies {
  readonly engine: Engine;
  readonly dataDir: string;
}

/** Finished, or a draft. */
const exportName = /^([^.]+)\.(?:csv|json)(?:\.part)?$/;

/** Removes files of this node whose job is gone: in a cluster another node may have removed it. Leaves nothing to do. */
export async function removeForgotten({ engine, dataDir }: ExportFilesDependencies): Promise<false> {
  const folder = exportFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const index = exportRecords.index(engine.store(platformStore));
  const isKnown = (id: string): boolean => exportStates.some((state) => index.has('state', state, id));
  const forgotten = engine.read(() =>
    names.filter((name) => {
      const [, id] = exportName.exec(name) ?? [];
      return id !== undefined && !isKnown(id);
    }),
  );
  for (const name of forgotten) await rm(join(folder, name), { force: true });
  return false;
}
