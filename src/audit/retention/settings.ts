import { z } from 'zod';
import type { Change, Precondition, RecordEntry, Store } from '#engine';
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

const id = 'retention';

export const RETENTION_DAYS_MAX = 3650;
export const retentionDefaults: RetentionSettings = { retentionDays: 365, autoDelete: false };

export function readRetention(store: Store): RecordEntry<RetentionSettings> | undefined {
  return retentionRecords.get(store, id);
}

export function putRetention(at: Pick<Store, 'name'>, settings: RetentionSettings): Change {
  return retentionRecords.put(at, id, settings);
}

/** That the settings stand as they were read. */
export function retentionAsRead(at: Pick<Store, 'name'>, entry: ReturnType<typeof readRetention>): Precondition {
  return retentionRecords.asRead(at, id, entry);
}
