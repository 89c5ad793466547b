import { join } from 'node:path';
import type { Change, Engine, RecordEntry } from '#engine';
import { type Organization, platformStore } from '../../orgs/index.ts';
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
  /** Why it failed. */
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

export function exportsOf(engine: Engine, { id }: Organization): ExportEntry[] {
  return engine.store(platformStore).records.byIndex<ExportJob>(collection, 'organization', id).entries;
}

export function exportsIn(engine: Engine, state: ExportState): ExportEntry[] {
  return engine.store(platformStore).records.byIndex<ExportJob>(collection, 'state', state).entries;
}

export function exportFolder(dataDir: string): string {
  return join(dataDir, 'audit-exports');
}

/** Ids are made by the service: nothing of a request stands in the path. */
export function exportFile(dataDir: string, { id, document }: ExportEntry): string {
  return join(exportFolder(dataDir), `${id}.${document.format}`);
}
