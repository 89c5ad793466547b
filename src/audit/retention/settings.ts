import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';

/** How long an organization keeps its entries (specification, Audit log entry): one record. */
export const retentionRecords = defineRecord({
  collection: 'audit_settings',
  holds: 'how long an organization keeps its audit log',
  schema: z.strictObject({
    retentionDays: z.int(),
    /** Whether older ones are removed. */
    autoDelete: z.boolean(),
  }),
});

export type RetentionSettings = DocumentOf<typeof retentionRecords>;

/** The id of the one record. */
export const RETENTION_ID = 'retention';

export const RETENTION_DAYS_MAX = 3650;
export const retentionDefaults: RetentionSettings = { retentionDays: 365, autoDelete: false };

export function readRetention(store: Store): RecordEntry<RetentionSettings> | undefined {
  return retentionRecords.get(store, RETENTION_ID);
}
