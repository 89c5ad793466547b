import type { Change, RecordEntry, Store } from '#engine';

/** Collection of an organization's store. */
export const retentionCollection = 'audit_settings';
export const retentionId = 'retention';

/** How long entries are kept (specification, Audit log entry). */
export interface RetentionSettings {
  readonly retentionDays: number;
  /** Whether older ones are removed. */
  readonly autoDelete: boolean;
}

export const RETENTION_DAYS_MAX = 3650;
export const retentionDefaults: RetentionSettings = { retentionDays: 365, autoDelete: false };

export function readRetention({ records }: Store): RecordEntry<RetentionSettings> | undefined {
  return records.get<RetentionSettings>(retentionCollection, retentionId);
}

export function retentionWrite(store: string, document: RetentionSettings): Change {
  return { op: 'put_record', store, record: { collection: retentionCollection, id: retentionId, document } };
}
