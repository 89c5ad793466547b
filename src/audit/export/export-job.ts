import { join } from 'node:path';
import type { Change, Engine, RecordEntry } from '#engine';
import { type Organization, platformStore } from '../../orgs/index.ts';
import type { SetAside } from '../../platform/index.ts';
import type { AuditFilters } from '../query/filters.ts';
import type { ExportFormat } from './formats.ts';

/** Collection of the platform's store, so that the jobs of all organizations are found at once. */
const collection = 'audit_exports';

export const exportStates = ['queued', 'running', 'done', 'failed'] as const;

export type ExportState = (typeof exportStates)[number];

/** An export that is too long for one answer. Times are milliseconds since the epoch. */
export interface ExportJob {
  readonly organization: { readonly id: string; readonly slug: string };
  /** Who asked, as the engine knows it; absent for the super administrator. Judged anew for every page. */
  readonly subject?: string;
  /** Who acted for it, where somebody did. */
  readonly actor?: string;
  readonly format: ExportFormat;
  readonly filters: AuditFilters;
  readonly state: ExportState;
  readonly createdAt: number;
  /** When the job and its file are removed. */
  readonly expiresAt: number;
  /** Entries in the file, once it is done. */
  readonly records?: number;
  /**
   * How many times it was started, so that a job that ends the process is not started for ever. Absent before the first
   * start.
   */
  readonly attempts?: number;
  /** The time of the next attempt; absent if it has not failed. */
  readonly notBefore?: number;
  /** Why the job or its last attempt failed. */
  readonly reason?: string;
}

export type ExportEntry = RecordEntry<ExportJob>;

export const EXPORT_KEPT_MS = 24 * 3_600_000;

export function exportWrite(id: string, document: ExportJob): Change {
  const indexes = { state: document.state, organization: document.organization.id };
  return { op: 'put_record', store: platformStore, record: { collection, id, document, indexes } };
}

export function exportDelete(id: string): Change {
  return { op: 'delete_record', store: platformStore, collection, id };
}

/** The command's precondition that nobody has changed the job meanwhile. */
export function exportUnchanged({ id, version }: ExportEntry) {
  return { require: 'record_version', store: platformStore, collection, id, version } as const;
}

/** An organization's own job. */
export function findExport(engine: Engine, { id: orgId }: Organization, id: string): ExportEntry | undefined {
  const entry = engine.store(platformStore).records.get<ExportJob>(collection, id);
  return entry?.document.organization.id === orgId ? entry : undefined;
}

export function countExports(engine: Engine, { id }: Organization): number {
  return engine.store(platformStore).recordIndex(collection).count('organization', id);
}

/** The jobs in a state that can be read, oldest first. */
export function exportsIn(engine: Engine, state: ExportState, aside: SetAside): ExportEntry[] {
  const store = engine.store(platformStore);
  const ids = store.recordIndex(collection).ids('state', state, { limit: JOBS_MAX });
  return ids.flatMap(
    (id) => aside.attempt(collection, id, () => readable(store.records.get<ExportJob>(collection, id))) ?? [],
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

/** Ids are made by the service: nothing of a request stands in the path. */
export function exportFile(dataDir: string, { id, document }: ExportEntry): string {
  return join(exportFolder(dataDir), `${id}.${document.format}`);
}
